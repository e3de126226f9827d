import AssetPacks
import Doctor
import Glibc
import HTTPClient
import JSONText
import PropertyLists
import SystemIO
import TLS

/// What the verbs of the doctor are given: where the manifest is, whom to trust, which property lists to read.
struct DoctorInputs {
  static let serverOptions: [Verb.Option] = [
    .value("manifest", "URL", "The manifest as devices ask for it."),
    .value(
      "server", "URL",
      "Instead of --manifest: the public base URL; with --token the admin API, which knows install sizes too."),
    .value("token", "TOKEN", "A token of the admin API (PACKHOUSE_TOKEN)."),
    .value("app", "BUNDLE_ID", "The app; without it, the server's development override is used."),
    .value("track", "TRACK", "production (the default), beta or internal."),
    .value("ca", "PEM", "The authority that devices trust through a profile (PACKHOUSE_CA, or the system's)."),
  ]

  let arguments: Arguments
  let authority: PEMText?

  init(_ arguments: Arguments) throws(CommandFailure) {
    self.arguments = arguments
    let path = arguments.value("ca") ?? Self.environment("PACKHOUSE_CA")
    authority = try path.map { path throws(CommandFailure) in try CertFiles.read(path) }
    if let track = arguments.value("track"), Track(rawValue: track) == nil {
      throw CommandFailure(
        "--track must be one of \(Track.allCases.map(\.rawValue).joined(separator: ", ")), not \(track).", .usage)
    }
    if let app = arguments.value("app") {
      do throws(AssetPackFailure) { _ = try BundleID(app) } catch {
        throw CommandFailure("--app: \(error.sentence).", .usage)
      }
    }
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private var token: String? { arguments.value("token") ?? Self.environment("PACKHOUSE_TOKEN") }

  /// Whether a running server was named.
  var hasServer: Bool { arguments.value("manifest") != nil || arguments.value("server") != nil }

  /// Where the manifest is, and what the admin API says of install sizes.
  func source() throws(CommandFailure) -> (manifestURL: String, installSizes: [String: Int64]) {
    if let url = arguments.value("manifest") { return (url, [:]) }
    guard let server = arguments.value("server") else {
      throw CommandFailure("--manifest URL or --server URL is missing; see --help.", .usage)
    }
    let track = arguments.value("track") ?? "production"
    guard token != nil else {
      let base = server.hasSuffix("/") ? String(server.dropLast()) : server
      let path = arguments.value("app").map { "/apps/\($0)/\(track)/manifest.json" } ?? "/manifest"
      return (base + path, [:])
    }
    return try ask(track: track)
  }

  /// Asks the admin API for the track's manifest URL and the install size of each live version.
  private func ask(track: String) throws(CommandFailure) -> (manifestURL: String, installSizes: [String: Int64]) {
    let client = try AdminClient(arguments)
    let (appID, _) = try client.app(try arguments.required("app"))
    let tracks = try client.list("v1/apps/\(appID)/tracks")
    guard let found = tracks.first(where: { $0["id"]?.string == track }),
      let url = found["attributes"]?["manifestURL"]?.string
    else { throw CommandFailure("The app has no track \(track) on this server.", .dataError) }
    var live: [String: String] = [:]
    for pack in found["attributes"]?["packs"]?.array ?? [] {
      if let name = pack["assetPackIdentifier"]?.string { live[name] = pack["version"]?.string }
    }
    var sizes: [String: Int64] = [:]
    for pack in try client.list("v1/apps/\(appID)/backgroundAssets") {
      guard let id = pack["id"]?.string, let name = pack["attributes"]?["assetPackIdentifier"]?.string,
        let number = live[name]
      else { continue }
      let versions = try client.versions(pack: id)
      let version = versions.first { $0["attributes"]?["version"]?.string == number }
      if let size = version?["attributes"]?["installSize"]?.int { sizes[name] = Int64(size) }
    }
    return (url, sizes)
  }

  /// Looks at the server from outside; install sizes are filled in where all of them are known.
  func checkServer() throws(CommandFailure) -> ServerCheckup.Outcome {
    let (url, sizes) = try source()
    let previous = try arguments.value("before").map { path throws(CommandFailure) in try Self.read(path) }
    var outcome = ServerCheckup(
      manifestURL: url, authority: authority, previous: previous, now: WallClock.system.now()
    ).run()
    if let manifest = outcome.manifest, manifest.entries.allSatisfy({ sizes[$0.pack.id.text] != nil }), !sizes.isEmpty {
      outcome.facts.installSizes = DeliveryFacts.sum(manifest) { sizes[$0.pack.id.text] ?? 0 }
    }
    return outcome
  }

  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    do throws(SystemFailure) { return try readFile(path, limit: 16 << 20) } catch {
      throw CommandFailure(error.sentence, .noInput)
    }
  }

  /// A property list, or the finding that it is none.
  static func propertyList(
    _ path: String, check: String
  ) throws(CommandFailure) -> (list: PropertyList?, findings: [Finding]) {
    let bytes = try read(path)
    do throws(PropertyListFailure) {
      return (try PropertyList.parse(bytes), [])
    } catch {
      let finding = Finding.error(
        check, "\(path) is not a property list: \(error.sentence).",
        fix: "Pass the file in XML or binary form; plutil -convert xml1 makes one from others.")
      return (nil, [finding])
    }
  }

  /// Checks the property lists against what the server delivers.
  func checkPlist(_ path: String, facts: DeliveryFacts) throws(CommandFailure) -> [Finding] {
    let (info, faults) = try Self.propertyList(path, check: "plist.root")
    var findings = faults
    var entitlements: PropertyList?
    if let path = arguments.value("entitlements") {
      let (list, faults) = try Self.propertyList(path, check: "entitlements.root")
      findings += faults
      entitlements = list
    }
    guard let info else { return findings }
    return findings
      + PlistCheckup(
        info: info, entitlements: entitlements, facts: facts, isManaged: !arguments.has("unmanaged")
      ).run()
  }

  /// Prints the report and ends with its exit code.
  static func finish(_ report: CheckupReport, _ arguments: Arguments) throws(CommandFailure) {
    if arguments.has("json") { Output.write(report.json) } else { Output.write(report.text) }
    if let code = ExitCode(rawValue: report.exitCode), report.exitCode != 0 { throw CommandFailure("", code) }
  }
}
