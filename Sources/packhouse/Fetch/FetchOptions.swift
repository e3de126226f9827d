import Glibc
import JSONText
import PackhouseClient
import SystemIO

/// What the fetch verbs have in common: the client library's settings as options.
enum FetchOptions {
  static let common: [Verb.Option] = [
    .value("manifest", "URL", "The download manifest, https://…"),
    .value("cache", "DIR", "The folder for packs, created if missing. Several processes may share it."),
    .value("ca", "PEM", "The authority that signed the server's certificate (PACKHOUSE_CA, or the system's)."),
    .value("domain", "HOST", "An allowed host, as in BADownloadDomainAllowList (any).", repeats: true),
    .value("attempts", "N", "How often a download is tried (5); each attempt resumes the last one."),
    .flag("json", "Print the result as JSON."),
    .flag("progress", "Report downloads on standard error; with --json, one line of JSON each."),
  ]

  static let downloads: [Verb.Option] = [
    .value("concurrency", "N", "How many downloads run at a time (3)."),
    .value("budget", "BYTES", "The most that all packs may take; the least recently used are deleted first."),
  ]

  static let emptyManifest = Verb.Option.flag(
    "allow-empty", "Delete all packs when the manifest lists none; otherwise that is an error.")

  /// The manager that the options describe.
  static func manager(_ arguments: Arguments) throws(CommandFailure) -> AssetPackManager {
    // A limit on the size of files is a failed write, which is reported, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    var configuration = ClientConfiguration(
      manifestURL: try arguments.required("manifest"), cacheFolder: try arguments.required("cache"))
    if let path = arguments.value("ca") ?? getenv("PACKHOUSE_CA").map({ String(cString: $0) }), !path.isEmpty {
      do throws(SystemFailure) { configuration.authorities = try readFile(path, limit: 1 << 20) } catch {
        throw CommandFailure(error.sentence, .noInput)
      }
    }
    let hosts = arguments.all("domain")
    if !hosts.isEmpty { configuration.restrictions.domainAllowList = hosts }
    configuration.attempts = try number(arguments, "attempts", 1...1000).map(Int.init) ?? configuration.attempts
    configuration.concurrentDownloads =
      try number(arguments, "concurrency", 1...64).map(Int.init) ?? configuration.concurrentDownloads
    configuration.diskBudget = try number(arguments, "budget")
    configuration.acceptsEmptyManifest = arguments.has("allow-empty")
    configuration.restrictions.downloadAllowance = try number(arguments, "download-allowance")
    configuration.restrictions.essentialDownloadAllowance = try number(arguments, "essential-download-allowance")
    configuration.restrictions.maxInstallSize = try number(arguments, "max-install-size")
    configuration.restrictions.essentialMaxInstallSize = try number(arguments, "essential-max-install-size")
    do throws(ManagedBackgroundAssetsError) { return try AssetPackManager(configuration) } catch {
      throw CommandFailure(error)
    }
  }

  private static func number(
    _ arguments: Arguments, _ name: String, _ range: ClosedRange<Int64> = 0...Int64.max
  ) throws(CommandFailure) -> Int64? {
    guard let text = arguments.value(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      let most = range.upperBound == .max ? " up" : " to \(range.upperBound)"
      throw CommandFailure("--\(name) must be a whole number from \(range.lowerBound)\(most), not \(text).", .usage)
    }
    return number
  }
}

extension CommandFailure {
  init(_ error: ManagedBackgroundAssetsError) {
    let code: ExitCode =
      switch error {
      case .assetPackNotFound, .fileNotFound, .onDemandResourceInvalidTag: .noInput
      case .sessionDownloadDisallowedByDomain, .sessionDownloadDisallowedByAllowance,
        .sessionDownloadAllowanceExceeded, .installSizeExceeded:
        .noPermission
      case .malformedManifest, .emptyManifest, .wrongLength, .wrongDigest, .wrongRange, .badArchive: .dataError
      case .network, .certificate, .status: .unavailable
      case .diskFull, .onDemandResourceOutOfSpace: .cannotCreate
      case .file: .inputOutput
      case .cancelled: .temporaryFailure
      }
    self.init(error.description, code, code: error.deviceCode.map { String($0) })
  }
}

/// Runs `body` with a manager and its errors as those of a verb; tells about downloads when that was asked for.
func withAssetPackManager<Value: Sendable>(
  _ arguments: Arguments,
  _ body: @escaping @Sendable (AssetPackManager) async throws(ManagedBackgroundAssetsError) -> Value
) throws(CommandFailure) -> Value {
  let manager = try FetchOptions.manager(arguments)
  let teller = arguments.has("progress") ? FetchProgress(asJSON: arguments.has("json")) : nil
  return try runBlocking { () async throws(CommandFailure) in
    let updates = manager.statusUpdates
    let listening = Task { for await update in updates { teller?.tell(update) } }
    let result: Result<Value, CommandFailure>
    do throws(ManagedBackgroundAssetsError) { result = .success(try await body(manager)) } catch {
      result = .failure(CommandFailure(error))
    }
    manager.endStatusUpdates()
    await listening.value
    return try result.get()
  }
}

/// Tells on standard error what happens to downloads, a line each.
struct FetchProgress: Sendable {
  let asJSON: Bool

  func tell(_ update: DownloadStatusUpdate) {
    let id = update.assetPack.id
    let version = update.assetPack.version
    switch update {
    case .began: line("began", id, version, "\(id) version \(version): began")
    case .paused: line("paused", id, version, "\(id): paused")
    case .finished: line("finished", id, version, "\(id) version \(version): finished")
    case .failed(_, let error):
      line("failed", id, version, "\(id): failed: \(error.sentence)", [("error", .string(error.sentence))])
    case .downloading(_, let progress):
      line(
        "downloading", id, version, "\(id): \(Int(progress.fractionCompleted * 100)) %",
        [("completed", .integer(progress.completed)), ("total", .integer(progress.total))])
    }
  }

  private func line(
    _ event: String, _ id: String, _ version: Int, _ text: String, _ more: [(String, JSONValue)] = []
  ) {
    guard asJSON else { return Output.tell("\(text)\n") }
    let members: [(String, JSONValue)] = [
      ("event", .string(event)), ("id", .string(id)), ("version", .integer(version)),
    ]
    Output.tell(JSONValue.object(JSONObject(members + more)).text() + "\n")
  }
}
