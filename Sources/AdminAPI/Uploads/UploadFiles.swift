import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `backgroundAssetUploadFiles`: the file of a version, sent in parts to signed addresses.
extension AdminResources {
  var uploadRoutes: [Route] {
    [
      Route(
        .post, "/v1/backgroundAssetUploadFiles", .publisher, reserveUpload,
        .creates(
          Self.uploadShape, "Reserves the upload of a version's archive",
          attributes: [
            ("assetType", Schema.choice(["ASSET"])), ("fileName", Schema.text(1...255)),
            ("fileSize", Schema.integer(from: 1)),
          ], required: ["assetType", "fileName", "fileSize"],
          relationships: [("backgroundAssetVersion", "backgroundAssetVersions")])),
      Route(
        .get, "/v1/backgroundAssetUploadFiles/{id}", .viewer, readUpload, .reads(Self.oneUpload, "One upload")),
      Route(
        .get, "/v1/backgroundAssetVersions/{id}/backgroundAssetUploadFiles", .viewer, listUploads,
        .lists(Self.uploadList, "The uploads of a version: one, or none yet")),
      Route(
        .patch, "/v1/backgroundAssetUploadFiles/{id}", .publisher, commitUpload,
        .updates(
          Self.uploadShape, "Commits an upload: all parts have been sent",
          attributes: [("uploaded", ["const": true]), ("sourceFileChecksums", Self.checksums)],
          required: ["uploaded", "sourceFileChecksums"])),
    ]
  }

  private func reserveUpload(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "backgroundAssetUploadFiles", attributes: ["assetType", "fileName", "fileSize"],
      relationships: ["backgroundAssetVersion"])
    let (fileName, fileSize) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let type = try body.attributes.required("assetType", expected: "\"ASSET\"")
      // App Store Connect's second type, MANIFEST, is a file that here stands inside the archive.
      guard try type.string() == "ASSET" else { throw type.outOfRange("\"ASSET\"") }
      return (
        try body.attributes.required("fileName", expected: "a file name").string(bytes: 1...255),
        try body.attributes.required("fileSize", expected: "a number of bytes").integer(in: 1...Int.max)
      )
    }
    let versionID = try body.related("backgroundAssetVersion", type: "backgroundAssetVersions")
    let version = try storedRelated("backgroundAssetVersion") { () throws(StoreFailure) in try store.version(versionID)
    }
    try context.mustSee(app: version.appID, "version", versionID)
    let upload = try stored(pointer: "/data/attributes/fileSize") { () throws(StoreFailure) in
      try store.reserveUpload(
        version: version.id, fileName: fileName, fileSize: Int64(fileSize), actor: context.actor)
    }
    return single(status: 201, resource(upload, version, context))
  }

  private func readUpload(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneUpload)
    let (upload, version) = try upload(context)
    let included = query.include.isEmpty ? [] : [resource(version)]
    return single(resource(upload, version, context), query, included: included)
  }

  private func listUploads(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.uploadList)
    let version = try stored { () throws(StoreFailure) in try store.version(context.id) }
    try context.mustSee(app: version.appID, "version", context.id)
    let upload = try stored { () throws(StoreFailure) in try store.upload(version: version.id) }
    return list(Page(only: upload.map { [$0] } ?? []), query) { resource($0, version, context) }
  }

  private func commitUpload(_ context: RequestContext) throws(APIFailure) -> Message {
    let (upload, _) = try upload(context)
    let body = try RequestDocument(
      context.request, type: "backgroundAssetUploadFiles", id: context.id,
      attributes: ["uploaded", "sourceFileChecksums"])
    let sha256 = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let uploaded = try body.attributes.required("uploaded", expected: "true")
      guard try uploaded.bool() else { throw uploaded.outOfRange("true", found: "false") }
      let checksums = try body.attributes.required("sourceFileChecksums", expected: "the file's checksum")
      let file = try checksums.object(allowing: ["file"]).required("file", expected: "{hash, algorithm}")
        .object(allowing: ["hash", "algorithm"])
      let algorithm = try file.required("algorithm", expected: "\"SHA_256\"")
      guard try algorithm.string() == "SHA_256" else { throw algorithm.outOfRange("\"SHA_256\"") }
      let hash = try file.required("hash", expected: "64 hexadecimal digits")
      let text = try hash.string().lowercased()
      guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else { throw hash.outOfRange("64 hexadecimal digits") }
      return text
    }
    let committed = try stored { () throws(StoreFailure) in
      try store.commitUpload(upload.id, sha256: sha256, actor: context.actor)
    }
    dependencies.committed()
    let version = try stored { () throws(StoreFailure) in try store.version(committed.versionID) }
    return single(resource(committed, version, context))
  }

  private func upload(_ context: RequestContext) throws(APIFailure) -> (UploadRecord, VersionRecord) {
    let (upload, version) = try stored { () throws(StoreFailure) in
      let upload = try store.upload(context.id)
      return (upload, try store.version(upload.versionID))
    }
    try context.mustSee(app: version.appID, "upload", context.id)
    return (upload, version)
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

  /// One operation for each part, with a fresh signature; none once the upload is closed. The addresses lead to where
  /// this client came in, be it through a tunnel or a proxy.
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
