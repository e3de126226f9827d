import AppleArchive
import Glibc
import JSONText
import Packing
import SystemIO

extension Verb {
  static let push = Verb(
    words: ["push"], summary: "Upload an archive as the next version of its pack.", positionals: "FILE.aar",
    count: 1...1,
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "The app that the pack belongs to."),
      .value("pack", "ID", "The pack; by default the one in the archive's manifest."),
      .flag("wait", "Wait until the server has checked it; exits with 65 when it is refused."),
      .flag("resume", "Resume an interrupted push of the same file, if there is one."),
      .flag("new-version", "Create a new version even if the server already has these bytes."),
      .flag("json", "Print the version as JSON."),
      .flag("quiet", "Show no progress."),
    ],
    details: "If the newest version already has these bytes, no new one is created, because every device would "
      + "download them again."
  ) { arguments throws(CommandFailure) in try Push(arguments).run() }
}

/// One push.
private struct Push {
  let arguments: Arguments
  let client: AdminClient
  let bundleID: String
  let file: ArchiveFile

  init(_ arguments: Arguments) throws(CommandFailure) {
    self.arguments = arguments
    bundleID = try arguments.required("app")
    client = try AdminClient(arguments)
    do throws(SystemFailure) {
      file = try ArchiveFile(arguments.positionals[0])
    } catch {
      throw CommandFailure(error.sentence, .noInput)
    }
    guard file.length > 0 else { throw CommandFailure("\(file.path) is empty.", .dataError) }
  }

  func run() throws(CommandFailure) {
    let identifier = if let given = arguments.value("pack") { given } else { try packID() }
    let sha256 = try hash()
    let app = try client.app(bundleID).id
    let known = try client.pack(identifier, app: app)
    let pack = if let known { known } else { try create(identifier, app: app) }
    var version: JSONValue
    if let known = try present(pack, sha256) {
      version = known
      tell("The server already has these bytes as version \(number(known)) of \(identifier).")
    } else {
      version = try upload(pack, identifier: identifier, sha256: sha256)
    }
    if arguments.has("wait") { version = try wait(for: version) }
    report(version, identifier: identifier, sha256: sha256)
    if version["attributes"]?["state"]?.string == "FAILED" { throw refused(version, identifier) }
  }

  private func packID() throws(CommandFailure) -> String {
    do throws(ArchiveFailure) {
      if let id = try PackReport(file).packagingManifest?.assetPackID.text { return id }
    } catch {
      throw CommandFailure(PackingFailure.archive(file: file.path, error))
    }
    throw CommandFailure(PackingFailure.noManifest(file: file.path))
  }

  private func hash() throws(CommandFailure) -> String {
    do throws(SystemFailure) {
      return try file.sha256() ?? ""
    } catch {
      throw CommandFailure(error.sentence, .inputOutput)
    }
  }

  private func create(_ identifier: String, app: String) throws(CommandFailure) -> String {
    let document: JSONValue = [
      "data": [
        "type": "backgroundAssets", "attributes": ["assetPackIdentifier": .string(identifier)],
        "relationships": AdminClient.relationship("app", "apps", app),
      ]
    ]
    do throws(CommandFailure) {
      return try id(client.post("v1/backgroundAssets", document))
    } catch {
      // Another push was faster.
      guard error.code == "ALREADY_EXISTS", let pack = try client.pack(identifier, app: app) else { throw error }
      return pack
    }
  }

  /// The newest version that has not failed, when it is made of the same bytes.
  private func present(_ pack: String, _ sha256: String) throws(CommandFailure) -> JSONValue? {
    if arguments.has("new-version") { return nil }
    let newest = try client.versions(pack: pack).first { version in
      let state = version["attributes"]?["state"]?.string
      return state == "COMPLETE" || state == "PROCESSING"
    }
    if newest?["attributes"]?["collected"]?.bool == true { return nil }
    return newest?["attributes"]?["sha256"]?.string == sha256 ? newest : nil
  }

  private func upload(_ pack: String, identifier: String, sha256: String) throws(CommandFailure) -> JSONValue {
    let name = file.path.split(separator: "/").last.map(String.init) ?? identifier
    let interrupted = arguments.has("resume") ? try client.interruptedUpload(of: file, pack: pack) : nil
    let started = if let interrupted { interrupted } else { try reserve(pack, name) }
    if interrupted != nil {
      tell("Version \(number(started.version)) of \(identifier) resumes after \(started.arrived) bytes.")
    }
    try send(started, name)
    let uploadID = try id(["data": started.upload])
    // A second commit of the same hash changes nothing.
    _ = try patiently { () throws(CommandFailure) in
      try client.patch(
        "v1/backgroundAssetUploadFiles/\(uploadID)",
        [
          "data": [
            "type": "backgroundAssetUploadFiles", "id": .string(uploadID),
            "attributes": [
              "uploaded": true,
              "sourceFileChecksums": ["file": ["hash": .string(sha256), "algorithm": "SHA_256"]],
            ],
          ]
        ])
    }
    return try version(id(["data": started.version]))
  }

  private func version(_ id: String) throws(CommandFailure) -> JSONValue {
    try patiently { () throws(CommandFailure) in try client.get("v1/backgroundAssetVersions/\(id)") }["data"] ?? .null
  }

  /// Asks again when the server does not answer, for about 20 seconds: long enough for a daemon to start again.
  private func patiently(_ ask: () throws(CommandFailure) -> JSONValue) throws(CommandFailure) -> JSONValue {
    var pause: UInt32 = 500_000
    for _ in 0..<7 {
      do throws(CommandFailure) {
        return try ask()
      } catch {
        let isAway = [ExitCode.unavailable.rawValue, ExitCode.temporaryFailure.rawValue].contains(error.exitCode)
        guard isAway else { throw error }
      }
      usleep(pause)
      pause = min(pause * 2, 4_000_000)
    }
    return try ask()
  }

  /// A new version, and its upload of which nothing has arrived.
  private func reserve(_ pack: String, _ name: String) throws(CommandFailure) -> InterruptedUpload {
    let version = try client.post(
      "v1/backgroundAssetVersions",
      [
        "data": [
          "type": "backgroundAssetVersions",
          "relationships": AdminClient.relationship("backgroundAsset", "backgroundAssets", pack),
        ]
      ])
    let upload = try client.post(
      "v1/backgroundAssetUploadFiles",
      [
        "data": [
          "type": "backgroundAssetUploadFiles",
          "attributes": ["assetType": "ASSET", "fileName": .string(name), "fileSize": .integer(file.length)],
          "relationships": AdminClient.relationship(
            "backgroundAssetVersion", "backgroundAssetVersions", try id(version)),
        ]
      ])
    return InterruptedUpload(version: version["data"] ?? .null, upload: upload["data"] ?? .null, arrived: 0)
  }

  private func send(_ started: InterruptedUpload, _ name: String) throws(CommandFailure) {
    let bar = ProgressBar(name, total: file.length, isQuiet: arguments.has("quiet") || arguments.has("json"))
    defer { bar.end() }
    do throws(CommandFailure) {
      try PartSender(file: file, client: client, progress: { bar.show(started.arrived + $0) })
        .send(started.upload["attributes"]?["uploadOperations"]?.array ?? [])
    } catch {
      guard error.exitCode == ExitCode.unavailable.rawValue else { throw error }
      throw CommandFailure(
        "\(error.sentence) Run it again with --resume to continue.", .unavailable, code: error.code)
    }
  }

  private func wait(for version: JSONValue) throws(CommandFailure) -> JSONValue {
    guard let id = version["id"]?.string else { throw unreadable() }
    var pause: UInt32 = 50_000
    while true {
      let version = try self.version(id)
      let state = version["attributes"]?["state"]?.string
      if state == "COMPLETE" || state == "FAILED" { return version }
      usleep(pause)
      pause = min(pause * 2, 2_000_000)
    }
  }

  private func report(_ version: JSONValue, identifier: String, sha256: String) {
    let state = version["attributes"]?["state"]?.string ?? ""
    if arguments.has("json") {
      return Output.write([
        "app": .string(bundleID), "assetPackIdentifier": .string(identifier),
        "version": Int(number(version)).map { .integer($0) } ?? .null, "state": .string(state),
        "sha256": .string(sha256), "downloadSize": .integer(file.length), "versionId": version["id"] ?? .null,
        "stateDetails": version["attributes"]?["stateDetails"] ?? .null,
      ])
    }
    Output.write("\(identifier) version \(number(version)): \(state)\n")
    for warning in version["attributes"]?["stateDetails"]?["warnings"]?.array ?? [] {
      Output.tell("warning: \(warning["description"]?.string ?? "")\n")
    }
  }

  private func refused(_ version: JSONValue, _ identifier: String) -> CommandFailure {
    let errors = version["attributes"]?["stateDetails"]?["errors"]?.array ?? []
    let lines = errors.map { "\($0["description"]?.string ?? "") (\($0["code"]?.string ?? ""))" }
    return CommandFailure(
      lines.isEmpty ? "\(identifier) was refused." : lines.joined(separator: "\n"), .dataError,
      code: errors.first?["code"]?.string)
  }

  private func tell(_ text: String) {
    if !arguments.has("quiet") { Output.tell("\(text)\n") }
  }

  private func number(_ version: JSONValue) -> String { version["attributes"]?["version"]?.string ?? "?" }

  private func id(_ document: JSONValue) throws(CommandFailure) -> String {
    guard let id = document["data"]?["id"]?.string else { throw unreadable() }
    return id
  }

  private func unreadable() -> CommandFailure {
    CommandFailure("The server's answer lacks an id; is it Packhouse?", .dataError)
  }
}
