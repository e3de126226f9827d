import Foundation

/// The admin API, as a release pipeline uses it. For one thread.
final class AdminClient {
  let web: WebClient
  var token: String?

  init(_ web: WebClient, token: String?) {
    self.web = web
    self.token = token
  }

  func send(_ method: String, _ path: String, _ body: [UInt8]? = nil) throws -> Answer {
    var fields: [(name: String, value: String)] = []
    if let token { fields.append(("Authorization", "Bearer \(token)")) }
    if body != nil { fields.append(("Content-Type", "application/json")) }
    return try web.send(method, path, fields, body: body)
  }

  func send(_ method: String, _ path: String, json: [String: Any]) throws -> Answer {
    try send(method, path, [UInt8](try JSONSerialization.data(withJSONObject: json)))
  }

  func get(_ path: String) throws -> Answer { try send("GET", path) }

  /// A create: type, attributes and one relationship.
  func create(
    _ type: String, _ attributes: [String: Any] = [:], _ relationship: (name: String, type: String, id: String)? = nil
  ) throws -> Answer {
    var data: [String: Any] = ["type": type, "attributes": attributes]
    if let relationship {
      data["relationships"] = [relationship.name: ["data": ["type": relationship.type, "id": relationship.id]]]
    }
    return try send("POST", "/v1/\(type)", json: ["data": data])
  }

  func update(_ type: String, _ id: String, _ attributes: [String: Any]) throws -> Answer {
    try send("PATCH", "/v1/\(type)/\(id)", json: ["data": ["type": type, "id": id, "attributes": attributes]])
  }

  /// The app's id; the app is made when it is not there.
  func app(_ bundleID: String = TestDaemon.app) throws -> String {
    if let found = try get("/v1/apps?filter%5BbundleId%5D=\(bundleID)").resources.first { return found.id }
    return try create(
      "apps", ["bundleId": bundleID, "domainAllowList": ["localhost", "127.0.0.1"]]
    ).expect(201).resource.id
  }

  /// The pack's id; the pack is made when it is not there.
  func pack(_ identifier: String, app: String) throws -> String {
    let found = try get("/v1/apps/\(app)/backgroundAssets?filter%5BassetPackIdentifier%5D=\(identifier)").resources
    if let first = found.first { return first.id }
    return try create("backgroundAssets", ["assetPackIdentifier": identifier], ("app", "apps", app)).expect(201)
      .resource.id
  }

  func version(pack: String) throws -> APIResource {
    try create("backgroundAssetVersions", [:], ("backgroundAsset", "backgroundAssets", pack)).expect(201).resource
  }

  func reserve(version: String, size: Int) throws -> UploadFile {
    UploadFile(
      try create(
        "backgroundAssetUploadFiles", ["assetType": "ASSET", "fileName": "a.aar", "fileSize": size],
        ("backgroundAssetVersion", "backgroundAssetVersions", version)
      ).expect(201).resource)
  }

  func upload(_ id: String) throws -> UploadFile {
    UploadFile(try get("/v1/backgroundAssetUploadFiles/\(id)").expect(200).resource)
  }

  /// Sends one part; no token, as the address is signed.
  func put(_ part: UploadFile.Part, of bytes: [UInt8]) throws -> Answer {
    try web.send("PUT", part.url, body: Array(bytes[part.offset..<(part.offset + part.length)]))
  }

  func commit(_ upload: UploadFile, hash: String) throws -> Answer {
    try update(
      "backgroundAssetUploadFiles", upload.id,
      ["uploaded": true, "sourceFileChecksums": ["file": ["hash": hash, "algorithm": "SHA_256"]]])
  }

  /// Asks until the version has an outcome.
  func wait(version: String) throws -> APIResource {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      let version = try get("/v1/backgroundAssetVersions/\(version)").expect(200).resource
      if ["COMPLETE", "FAILED"].contains(version.text("state")) { return version }
      usleep(10_000)
    }
    throw Failure("version \(version) is not processed after 60 s")
  }

  /// A new version with these bytes, up to its commit.
  func send(_ identifier: String, _ bytes: [UInt8], app: String) throws -> APIResource {
    let version = try version(pack: try pack(identifier, app: app))
    let upload = try reserve(version: version.id, size: bytes.count)
    for part in upload.parts { _ = try put(part, of: bytes).expect(200) }
    _ = try commit(upload, hash: Packs.hash(bytes)).expect(200)
    return version
  }

  /// The same, and waits for the outcome.
  func push(_ identifier: String, _ bytes: [UInt8], app: String) throws -> APIResource {
    try wait(version: try send(identifier, bytes, app: app).id)
  }

  /// Releases packs; a nil version is the newest complete one.
  func release(
    _ packs: [(String, String?)], app: String, track: String = "production", confirmedRemovals: [String]? = nil
  ) throws -> Answer {
    let items = packs.map { name, version in
      version.map { ["assetPackIdentifier": name, "version": $0] } ?? ["assetPackIdentifier": name]
    }
    var attributes: [String: Any] = ["track": track, "packs": items]
    if let confirmedRemovals { attributes["confirmedRemovals"] = confirmedRemovals }
    return try create("releases", attributes, ("app", "apps", app))
  }
}

/// An upload as the API shows it.
struct UploadFile {
  struct Part: Sendable {
    let number: Int
    let offset: Int
    let length: Int
    let url: String
    let entityTag: String?
  }

  let id: String
  let resource: APIResource
  let parts: [Part]

  init(_ resource: APIResource) {
    self.resource = resource
    id = resource.id
    parts = resource.list("uploadOperations").map { operation in
      Part(
        number: operation["partNumber"] as? Int ?? 0, offset: operation["offset"] as? Int ?? 0,
        length: operation["length"] as? Int ?? 0, url: operation["url"] as? String ?? "",
        entityTag: operation["entityTag"] as? String)
    }
  }
}

extension Answer {
  /// This answer, when it has that status; otherwise a failure that tells what it said.
  func expect(_ status: Int) throws -> Answer {
    guard self.status == status else { throw Failure("expected \(status), got \(self.status): \(text)") }
    return self
  }
}
