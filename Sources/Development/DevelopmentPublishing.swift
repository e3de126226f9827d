import AppleArchive
import AssetPacks
import Daemon
import EventLoop
import Glibc
import Packing
import PackStore
import SystemIO

/// A pack that went live.
struct PublishedPack: Sendable, Equatable {
  let assetPackIdentifier: String
  let number: Int
}

/// Brings the packs that a development server was given into its store and releases them: what is new or has
/// changed becomes a new version, what has not stays as it is, whatever was released over the admin API since.
struct DevelopmentPublishing: Sendable {
  let service: Service
  let files: DevelopmentFiles
  let options: DevelopmentOptions
  let allowedHosts: [String]
  private let cancellation = StopFlag()

  init(service: Service, files: DevelopmentFiles, options: DevelopmentOptions, allowedHosts: [String]) {
    self.service = service
    self.files = files
    self.options = options
    self.allowedHosts = allowedHosts
  }

  /// Breaks off what is being published, on whatever thread, and everything that comes later. What waits for the
  /// service's processor goes on when the service stops.
  func cancel() { cancellation.raise() }

  var isCancelled: Bool { cancellation.isRaised }

  private static let actor = Actor(name: "packhouse dev")

  private struct Pack {
    let identifier: String
    let file: ArchiveFile
    let sha256: String
  }

  /// The packaging manifests and archives.
  var inputs: [String] { options.inputs.isEmpty ? Self.examples() : options.inputs }

  /// Publishes what has changed, and says what that was: nothing when it was cancelled.
  @discardableResult
  func publish() throws(DaemonFailure) -> [PublishedPack] { try publish { true } ?? [] }

  /// The same, but nothing and nil when the files changed while they were read.
  func publishUnlessChanging() throws(DaemonFailure) -> [PublishedPack]? {
    let before = stamps
    return try publish { stamps == before }
  }

  private func publish(_ mayGoOn: () -> Bool) throws(DaemonFailure) -> [PublishedPack]? {
    let app = try stored(try prepareApp())
    var memory = files.loadMemory()
    var packs: [Pack] = []
    var origins: [String: String] = [:]
    for input in inputs {
      if isCancelled { return nil }
      let pack = try read(input)
      if let other = origins.updateValue(input, forKey: pack.identifier) {
        throw DaemonFailure(
          "\(other) and \(input) both contain the pack \(pack.identifier); name only one of them.", exitCode: .dataError
        )
      }
      let known = memory.given.updateValue(pack.sha256, forKey: "\(options.app)/\(pack.identifier)")
      if try stored(try needsVersion(pack, wasGiven: known == pack.sha256, app: app)) { packs.append(pack) }
    }
    guard mayGoOn() else { return nil }
    var changed: [(pack: Pack, version: VersionRecord)] = []
    for pack in packs { changed.append((pack, try stored(try upload(pack, app: app)))) }
    service.wakeProcessor()
    service.finishProcessing()
    if isCancelled { return nil }
    var items: [ReleaseItem] = []
    for (pack, version) in changed {
      let version = try stored(try service.store.version(version.id))
      guard version.state == .complete else { throw refused(pack, version) }
      items.append(ReleaseItem(pack.identifier, number: version.number))
    }
    if !items.isEmpty {
      _ = try stored(try service.store.release(app: app.id, track: .production, packs: items, actor: Self.actor))
    }
    try files.save(memory)
    let tracks = try stored(try service.store.tracks(app: app.id))
    if tracks.allSatisfy({ $0.track != .production || $0.packs.isEmpty }) { throw Self.nothingToServe }
    return changed.map { PublishedPack(assetPackIdentifier: $0.pack.identifier, number: $0.version.number) }
  }

  /// Whether there will be something to serve, before anything is made.
  static func checkInputs(_ options: DevelopmentOptions) throws(DaemonFailure) {
    for input in options.inputs where (try? FileStatus.of(input))?.isRegularFile != true {
      throw DaemonFailure("\(input) is not a file; name a Manifest.json or an .aar file.", exitCode: .noInput)
    }
    let hasState = (try? FileStatus.of("\(options.stateDirectory)/catalog.sqlite")) != nil
    if options.inputs.isEmpty, !hasState, examples().isEmpty { throw nothingToServe }
  }

  private static var nothingToServe: DaemonFailure {
    DaemonFailure(
      "There is nothing to serve: name a Manifest.json or an .aar file, or start in a folder that contains Examples/.",
      exitCode: .noInput)
  }

  private func prepareApp() throws(StoreFailure) -> AppRecord {
    if let app = try service.store.apps(bundleID: options.app).items.first {
      let wanted = (try? DomainAllowList(allowedHosts))?.entries ?? allowedHosts
      let missing = wanted.filter { !app.domainAllowList.contains($0) }
      if missing.isEmpty { return app }
      return try service.store.updateApp(app.id, domainAllowList: app.domainAllowList + missing, actor: Self.actor)
    }
    return try service.store.createApp(bundleID: options.app, domainAllowList: allowedHosts, actor: Self.actor)
  }

  /// The packaging manifests one level below `Examples/`.
  private static func examples() -> [String] {
    guard let names = try? Folder.names("Examples").sorted() else { return [] }
    return names.map { "Examples/\($0)/Manifest.json" }.filter { (try? FileStatus.of($0)) != nil }
  }

  private func read(_ input: String) throws(DaemonFailure) -> Pack {
    do throws(PackingFailure) {
      let path = input.hasSuffix(".json") ? try build(input) : input
      let file: ArchiveFile
      do throws(SystemFailure) { file = try ArchiveFile(path) } catch { throw .system(error) }
      var limits = ArchiveLimits()
      limits.isExpired = { [cancellation] in cancellation.isRaised }
      let report: PackReport
      do throws(ArchiveFailure) { report = try PackReport(file, limits: limits) } catch {
        throw .archive(file: input, error)
      }
      guard let identifier = report.packagingManifest?.assetPackID.text else {
        if case .invalid(let path, let failure) = report.manifest {
          throw .manifest(file: "\(input), \(path.escaped)", failure)
        }
        throw .noManifest(file: input)
      }
      let sha256: String
      do throws(SystemFailure) {
        guard let whole = try file.sha256(isStopped: { isCancelled }) else { throw Self.cancelled(input) }
        sha256 = whole
      } catch { throw .system(error) }
      return Pack(identifier: identifier, file: file, sha256: sha256)
    } catch {
      throw DaemonFailure(error.sentence, exitCode: error.isAboutFiles ? .noInput : .dataError)
    }
  }

  /// Packs the manifest into the state folder, replacing what an earlier run packed there.
  private func build(_ manifest: String) throws(PackingFailure) -> String {
    let (parsed, _) = try PackBuilder.read(manifest)
    let folder = "\(options.stateDirectory)/built"
    do throws(SystemFailure) { try Folder.create(folder, mode: 0o700) } catch { throw .system(error) }
    let output = "\(folder)/\(parsed.assetPackID.text).aar"
    var builder = PackBuilder(toolsVersion: options.toolsVersion)
    builder.isCancelled = { [cancellation] in cancellation.isRaised }
    _ = try builder.build(manifest, output: output, overwrites: true)
    return output
  }

  private static func cancelled(_ subject: String) -> SystemFailure {
    SystemFailure("read", subject, code: ECANCELED)
  }

  /// Whether other bytes are live, or none. What the server was given the last time, too, was released then: other
  /// bytes that are live now came over the admin API, and stay.
  private func needsVersion(_ pack: Pack, wasGiven: Bool, app: AppRecord) throws(StoreFailure) -> Bool {
    try !service.store.tracks(app: app.id).contains { track in
      track.track == .production
        && track.packs.contains {
          $0.assetPackIdentifier == pack.identifier && (wasGiven || $0.sha256 == pack.sha256)
        }
    }
  }

  /// Sends the file the way that the admin API does: reserve, parts, commit.
  private func upload(_ pack: Pack, app: AppRecord) throws(StoreFailure) -> VersionRecord {
    let store = service.store
    let known = try store.packs(app: app.id, identifier: pack.identifier).items.first
    let record =
      if let known { known } else {
        try store.createPack(app: app.id, identifier: pack.identifier, actor: Self.actor)
      }
    let version = try store.createVersion(pack: record.id, actor: Self.actor)
    let name = pack.file.path.split(separator: "/").last.map(String.init) ?? pack.identifier
    let upload = try store.reserveUpload(
      version: version.id, fileName: name, fileSize: pack.file.length, actor: Self.actor)
    for part in upload.layout.parts {
      let writer = try store.beginPart(upload: upload.id, number: part.number)
      var failure: StoreFailure?
      do throws(SystemFailure) {
        try pack.file.forEachPiece(from: part.offset, to: part.offset + part.length) { bytes in
          do throws(StoreFailure) { try writer.write(bytes) } catch { failure = error }
          if isCancelled { failure = .system(Self.cancelled(pack.file.path)) }
          return failure == nil
        }
      } catch {
        failure = .system(error)
      }
      if let failure {
        writer.cancel()
        throw failure
      }
      _ = try writer.finish()
    }
    _ = try store.commitUpload(upload.id, sha256: pack.sha256, actor: Self.actor)
    return version
  }

  private func refused(_ pack: Pack, _ version: VersionRecord) -> DaemonFailure {
    let reasons = version.messages.filter { $0.level == .error }.map(\.description)
    let reason = reasons.isEmpty ? version.state.rawValue : reasons.joined(separator: " ")
    return DaemonFailure("\(pack.file.path) cannot be released: \(reason)", exitCode: .dataError)
  }
}
