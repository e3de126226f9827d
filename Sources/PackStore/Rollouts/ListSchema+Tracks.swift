import AssetPacks

extension ListSchema {
  /// The rollouts of an app, the newest first.
  package static let rollouts = ListSchema(
    columns: [
      Column("track", "o.track", filter: .choice(of: Track.self)),
      Column("state", "o.state", filter: .choice(of: RolloutState.self)),
      Column("createdDate", "o.created", sorts: true),
    ], source: "rollouts o", sequence: "o.seq", isNewestFirst: true)

  /// The lanes of an app, in the order of their making.
  package static let lanes = ListSchema(
    columns: [
      Column("track", "l.track", filter: .choice(of: Track.self)),
      Column("name", "l.name", filter: .text, sorts: true),
      Column("createdDate", "l.created", sorts: true),
    ], source: "lanes l", sequence: "l.seq", isNewestFirst: false)
}
