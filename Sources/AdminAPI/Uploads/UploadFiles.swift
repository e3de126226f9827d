import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `backgroundAssetUploadFiles`: the file of a version, sent in parts to signed addresses.
extension AdminResources {
  var uploadRoutes: [Route] {
    [
      Route(
        .post, "/v1/backgroundAssetUploadFiles", .publisher, .body("backgroundAssetVersion", .version),
        Self.newUpload, reserveUpload, .creates(Self.uploadShape, "Reserves the upload of a version's archive")),
      Route(
        .get, "/v1/backgroundAssetUploadFiles/{id}", .viewer, .path(.upload), readUpload,
        .reads(Self.oneUpload, "One upload")),
      Route(
        .get, "/v1/backgroundAssetVersions/{id}/backgroundAssetUploadFiles", .viewer, .path(.version), listUploads,
        .lists(Self.uploadList, "The uploads of a version: one, or none yet")),
      Route(
        .patch, "/v1/backgroundAssetUploadFiles/{id}", .publisher, .path(.upload), Self.commit, commitUpload,
        .updates(Self.uploadShape, "Commits an upload: all parts have been sent")),
    ]
  }

  private static let newUpload = BodyShape(
    "backgroundAssetUploadFiles",
    // App Store Connect's second type, MANIFEST, is a file inside the archive here.
    Field("assetType", .constant("ASSET"), expected: "\"ASSET\""),
    Field("fileName", .text(1...255), expected: "a file name"),
    Field("fileSize", .integer(1...Int.max), expected: "a number of bytes"))
  private static let commit = BodyShape(
    "backgroundAssetUploadFiles", Field("uploaded", .on, expected: "true"),
    Field("sourceFileChecksums", checksums, expected: "the file's checksum"))

  /// The hash of a whole file.
  private static let checksums = ValueShape.object(
    Field(
      "file",
      ValueShape.object(
        Field("hash", .digest, expected: "64 hexadecimal digits"),
        Field("algorithm", .constant("SHA_256"), expected: "\"SHA_256\"")
      ).map { $0.0 }, expected: "{hash, algorithm}"))

  private func reserveUpload(
    _ context: RequestContext, _ version: VersionRecord, _ body: (String, String, Int)
  ) throws(APIFailure) -> Message {
    let (_, fileName, fileSize) = body
    let upload = try stored(pointer: "/data/attributes/fileSize") { () throws(StoreFailure) in
      try store.reserveUpload(
        version: version.id, fileName: fileName, fileSize: Int64(fileSize), actor: context.actor)
    }
    return single(status: 201, resource(upload, version, context))
  }

  private func readUpload(
    _ context: RequestContext, _ found: VersionUpload, _ query: Query
  ) throws(APIFailure) -> Message {
    let included = query.include.isEmpty ? [] : [resource(found.version)]
    return single(resource(found.upload, found.version, context), query, included: included)
  }

  private func listUploads(
    _ context: RequestContext, _ version: VersionRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    let upload = try stored { () throws(StoreFailure) in try store.upload(version: version.id) }
    return list(Page(only: upload.map { [$0] } ?? []), query) { resource($0, version, context) }
  }

  private func commitUpload(
    _ context: RequestContext, _ found: VersionUpload, _ body: (Bool, String)
  ) throws(APIFailure) -> Message {
    let committed = try stored { () throws(StoreFailure) in
      try store.commitUpload(found.upload.id, sha256: body.1, actor: context.actor)
    }
    dependencies.committed()
    let version = try stored { () throws(StoreFailure) in try store.version(committed.versionID) }
    return single(resource(committed, version, context))
  }

  func resource(_ upload: UploadRecord, _ version: VersionRecord, _ context: RequestContext) -> ResourceObject {
    var checksums: JSONValue = .null
    if let hash = upload.declaredSHA256 {
      checksums = ["file": ["hash": .string(hash), "algorithm": "SHA_256"]]
    }
    var details = JSONObject([("state", .string(upload.state.rawValue))])
    if case .object(let lists) = Self.details(upload.state == .failed ? version.messages : []) {
      for member in lists.members { details.set(member.key, member.value) }
    }
    let attributes = JSONObject([
      ("assetType", .string(upload.assetType)), ("fileName", .string(upload.fileName)),
      ("fileSize", .integer(upload.fileSize)), ("sourceFileChecksums", checksums),
      ("assetDeliveryState", .object(details)), ("uploadOperations", operations(upload, context)),
      ("uploaded", .bool(upload.state != .awaitingUpload)),
    ])
    return ResourceObject(
      type: "backgroundAssetUploadFiles", id: upload.id, attributes: attributes,
      relationships: [("backgroundAssetVersion", "backgroundAssetVersions", upload.versionID)],
      path: "/v1/backgroundAssetUploadFiles/\(upload.id)", fleeting: ["uploadOperations"])
  }

  /// One operation for each part, with a fresh signature; none once the upload is closed. The addresses use the
  /// authority of this request, so they also work through a tunnel or a proxy.
  private func operations(_ upload: UploadRecord, _ context: RequestContext) -> JSONValue {
    guard upload.state == .awaitingUpload else { return [] }
    let (query, expires) = signer.query(file: upload.id)
    return .array(
      upload.layout.parts.map { part in
        let path = "\(UploadParts.pathPrefix)\(upload.id)/\(part.number)"
        return [
          "method": "PUT", "url": .string("https://\(context.request.authority)\(path)?\(query)"),
          "offset": .integer(part.offset), "length": .integer(part.length), "partNumber": .integer(part.number),
          "requestHeaders": [["name": "Content-Type", "value": "application/octet-stream"]],
          "expiration": .time(expires), "entityTag": .optional(upload.received[part.number]),
        ]
      })
  }
}

extension AdminResources {
  static let uploadShape = ResourceShape(
    type: "backgroundAssetUploadFiles",
    attributes: [
      ("assetType", Schema.choice(["ASSET", "MANIFEST"])), ("fileName", Schema.text), ("fileSize", Schema.integer),
      ("sourceFileChecksums", Schema.optional(checksums.schema)), ("assetDeliveryState", deliveryState),
      ("uploadOperations", Schema.list(operation)), ("uploaded", Schema.flag),
    ],
    relationships: [ResourceShape.Relationship(name: "backgroundAssetVersion", type: "backgroundAssetVersions")])

  static let oneUpload = QueryShape(
    resource: uploadShape,
    includes: [QueryShape.Include(name: "backgroundAssetVersion", resource: versionShape)])

  static let uploadList = QueryShape(resource: uploadShape, isPlainList: true)

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

/// An upload and the version that it is for.
struct VersionUpload: Sendable {
  let upload: UploadRecord
  let version: VersionRecord
}

extension Owned<VersionUpload> {
  static var upload: Owned {
    Owned(
      kind: .upload, type: "backgroundAssetUploadFiles",
      find: { (store, id) throws(StoreFailure) in
        let upload = try store.upload(id)
        return VersionUpload(upload: upload, version: try store.version(upload.versionID))
      }, app: { $0.version.appID })
  }
}
