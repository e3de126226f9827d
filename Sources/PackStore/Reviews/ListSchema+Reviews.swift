import AssetPacks

extension ListSchema {
  /// Review submissions, the newest first.
  package static let reviewSubmissions = ListSchema(
    columns: [
      Column("app", "s.app_id", filter: .text),
      Column(
        "track", "s.track", filter: .choice([("beta", "beta"), ("production", "production")])),
      Column("platform", "s.platform", filter: .choice(Platform.allCases.map { ($0.apiName, $0.rawValue) })),
      Column("state", "s.state", filter: .choice(of: ReviewSubmissionState.self)),
      Column("createdDate", "s.created", sorts: true),
    ], source: "review_submissions s", sequence: "s.seq", isNewestFirst: true)
}
