import Configuration

extension SettingsTable {
  /// How much apps may store, and how long versions are kept.
  @Rows static var storage: [Key] {
    Key(
      "quota.preset", \.quota.preset, .choice, default: "apple",
      "Limits for apps without a quota of their own: App Store Connect's, or those of On-Demand Resources.")
    Key(
      "quota.bytes", \.quota.bytes, .bytes(from: .bytes(0), to: .terabytes(1000)), unset: "the preset's",
      "Maximum size of an app: the sum of each pack's largest version that is not superseded on all tracks.")
    Key(
      "quota.packs", \.quota.packs, .integer(0...1_000_000), unset: "the preset's", "Maximum number of packs per app.")
    Key(
      "quota.enforced", \.quota.isEnforced, .flag, default: true,
      "Whether what exceeds the quota is refused; otherwise it only shows in the audit log and the metrics.")
    Key(
      "quota.serverBytes", \.serverQuota, .bytes(from: .bytes(0), to: .terabytes(1000)), unset: "the disk's room",
      "Maximum size of all apps together.")
    Key(
      "retention.supersededVersions", \.retention.supersededVersions, .integer(1...1_000_000), default: 5,
      "How many of a pack's newest versions `packhouse gc` keeps even if nothing needs them.")
    Key(
      "retention.supersededTime", \.retention.supersededTime, .time(from: .seconds(0), to: .days(3650)),
      default: "90 d", "How long `packhouse gc` keeps each older version after its last change of state.")
    Key(
      "retention.grace", \.retention.grace, .time(from: .seconds(0), to: .days(3650)), default: "7 d",
      "How long the URL of a version still works after `packhouse gc` found the version past both limits.")
    Key(
      "retention.archiveTime", \.retention.archiveTime, .time(from: .seconds(0), to: .days(3650)), default: "30 d",
      "How long `packhouse gc` keeps the versions of an archived pack; until then, archiving can be undone.")
    Key(
      "developmentOverride.app", requiredIn: "developmentOverride", \.developmentApp, .bundleID, change: .reload,
      """
      Bundle ID of the app whose manifest `GET /manifest` serves to devices with a development override. Without it, \
      the answer is 404.
      """)
    Key(
      "developmentOverride.track", \.developmentTrack, .choice, default: "internal", change: .reload,
      "Track of that manifest.")
  }
}
