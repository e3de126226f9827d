import AssetPacks
import JSONText

extension AdminResources {
  static let uploadShape = ResourceShape(
    type: "backgroundAssetUploadFiles",
    attributes: [
      ("assetType", Schema.choice(["ASSET", "MANIFEST"])), ("fileName", Schema.text), ("fileSize", Schema.integer),
      ("sourceFileChecksums", Schema.optional(checksums)), ("assetDeliveryState", deliveryState),
      ("uploadOperations", Schema.list(operation)), ("uploaded", Schema.flag),
    ],
    relationships: [ResourceShape.Relationship(name: "backgroundAssetVersion", type: "backgroundAssetVersions")])

  static let oneUpload = QueryShape(
    resource: uploadShape,
    includes: [QueryShape.Include(name: "backgroundAssetVersion", resource: versionShape)])

  static let uploadList = QueryShape(resource: uploadShape, isPlainList: true)

  /// The hash of a whole file.
  static let checksums = Schema.object([
    ("file", Schema.object([("hash", Schema.digest), ("algorithm", Schema.choice(["SHA_256"]))]))
  ])

  private static let deliveryState: JSONValue = {
    let message = Schema.object([("code", Schema.text), ("description", Schema.text)])
    return Schema.object(
      [("state", Schema.choice(of: UploadFileState.self))]
        + ["errors", "warnings", "infos"].map { ($0, Schema.list(message)) })
  }()

  private static let operation = Schema.object([
    ("method", Schema.choice(["PUT"])), ("url", Schema.text), ("offset", Schema.integer), ("length", Schema.integer),
    ("partNumber", Schema.integer),
    ("requestHeaders", Schema.list(Schema.object([("name", Schema.text), ("value", Schema.text)]))),
    ("expiration", Schema.date), ("entityTag", Schema.optional(Schema.text)),
  ])
}
