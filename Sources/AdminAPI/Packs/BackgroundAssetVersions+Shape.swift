import AssetPacks
import JSONText
import PackStore

extension AdminResources {
  static let versionShape = ResourceShape(
    type: "backgroundAssetVersions",
    attributes: [
      ("version", Schema.text), ("platforms", Schema.list(Schema.choice(Platform.allCases.map(\.apiName)))),
      ("locale", Schema.optional(Schema.text)), ("state", Schema.choice(of: VersionState.self)),
      ("stateDetails", stateDetails), ("fileSize", Schema.optional(Schema.integer)),
      ("downloadSize", Schema.optional(Schema.integer)), ("installSize", Schema.optional(Schema.integer)),
      ("sha256", Schema.optional(Schema.digest)), ("createdDate", Schema.date), ("collected", Schema.flag),
      ("internalBetaState", Schema.optional(Schema.choice(of: InternalBetaState.self))),
      ("externalBetaState", Schema.optional(Schema.choice(of: ExternalBetaState.self))),
      ("appStoreState", Schema.optional(Schema.choice(of: ProductionState.self))),
    ],
    relationships: [ResourceShape.Relationship(name: "backgroundAsset", type: "backgroundAssets")]
      + Track.allCases.map {
        ResourceShape.Relationship(name: $0.relationshipName, type: $0.releaseType, number: .oneOrNone)
      }
      + ["assetFile", "manifestFile"].map {
        ResourceShape.Relationship(name: $0, type: "backgroundAssetUploadFiles", number: .oneOrNone)
      })

  /// `{errors, warnings, infos}`.
  static let stateDetails = Schema.object(
    ["errors", "warnings", "infos"].map { name in
      (name, Schema.list(Schema.object([("code", Schema.text), ("description", Schema.text)])))
    })

  private static let versionIncludes =
    [QueryShape.Include(name: "backgroundAsset", resource: packShape)]
    + Track.allCases.map { QueryShape.Include(name: $0.relationshipName, resource: $0.releaseShape) }
    + ["assetFile", "manifestFile"].map { QueryShape.Include(name: $0, resource: uploadShape) }
  static let versionList = QueryShape(resource: versionShape, list: .versions, includes: versionIncludes)
  static let oneVersion = QueryShape(resource: versionShape, includes: versionIncludes)
}
