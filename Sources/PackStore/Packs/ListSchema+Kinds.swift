import AssetPacks

extension ListSchema {
  /// Apps, in the order of their making.
  package static let apps = ListSchema(
    columns: [
      Column("bundleId", "a.bundle_id", filter: .text, sorts: true),
      Column("name", "a.name", filter: .text),
      Column("createdDate", "a.created", sorts: true),
    ], source: "apps a", sequence: "a.seq", isNewestFirst: false)

  /// The packs of an app, in the order of their making.
  package static let packs = ListSchema(
    columns: [
      Column("assetPackIdentifier", "p.identifier", filter: .text, sorts: true),
      Column("archived", "p.archived", filter: .flag),
      Column("createdDate", "p.created", sorts: true),
    ], source: "packs p", sequence: "p.seq", isNewestFirst: false)

  /// The versions of a pack, the newest first.
  package static let versions = ListSchema(
    columns: [
      Column("version", "v.number", filter: .number, sorts: true),
      Column("state", "v.state", filter: .choice(of: VersionState.self)),
      Column("locale", "v.language", filter: .text),
      Column("platforms", "v.platforms", filter: platformNames, condition: onPlatforms),
      Column("sha256", "v.sha256", filter: .digest),
      Column("internalBetaRelease.state", state(on: .internal), filter: .choice(of: InternalBetaState.self)),
      Column("externalBetaRelease.state", state(on: .beta), filter: .choice(of: ExternalBetaState.self)),
      Column("appStoreRelease.state", state(on: .production), filter: .choice(of: ProductionState.self)),
      Column("createdDate", "v.created", sorts: true),
    ], source: "versions v", sequence: "v.seq", isNewestFirst: true)

  private static func state(on track: Track) -> String {
    "(SELECT state FROM releases WHERE version_id = v.id AND track = '\(track.rawValue)')"
  }

  private static let platformNames = FilterValues.choice(Platform.allCases.map { ($0.apiName, $0.rawValue) })

  /// A complete version without platforms is for all of them.
  private static let onPlatforms = """
    (v.platforms = '' OR EXISTS (
      SELECT 1 FROM json_each(?) WHERE instr(',' || v.platforms || ',', ',' || value || ',') > 0))
    """
}
