import AssetPacks
import EventLoop
import Glibc
import HTTPServer
import PackStore
import SystemIO
import TLS

/// A server that needs nothing set up: it makes certificates, packs and releases what it is given, and serves.
package struct DevelopmentServer {
  private let options: DevelopmentOptions

  package init(_ options: DevelopmentOptions) { self.options = options }

  /// What the thread that publishes first came to.
  private enum Start: Sendable {
    case running
    case done
    case failed(DaemonFailure)
  }

  /// Serves until SIGTERM or SIGINT.
  package func run() throws(DaemonFailure) {
    try DevelopmentPublishing.checkInputs(options)
    let runner = try ServiceRunner()
    let files = try DevelopmentFiles(options.stateDirectory)
    var memory = files.loadMemory()
    let listen = try DevelopmentFiles.settle(options.listen, last: memory.clientPort)
    let admin = try DevelopmentFiles.settle(options.admin, last: memory.adminPort, taken: listen.port)
    let reach = DevelopmentReach.now(listen: listen.host)
    try files.prepareCertificates(names: reach.names, now: WallClock.system.now())

    let settings = Self.settings(
      options, publicBaseURL: Self.url(reach.host, listen.port), listen: listen, admin: admin,
      certificate: files.certificate)
    let desk = try makeDesk(files, settings, reach)
    let service = try Service(settings, respond: { desk.responder($0) })
    desk.attach(service)
    memory.clientPort = listen.port
    memory.adminPort = admin.port
    let publishing = DevelopmentPublishing(
      service: service, files: files, options: options, allowedHosts: reach.names)
    let watch = options.watches ? DevelopmentWatch(publishing, tell: DevelopmentAnnouncement.tell) : nil
    func end() {
      watch?.stop()
      service.stop()
      desk.stop()
    }
    do throws(DaemonFailure) {
      memory.token = try token(service.store, last: memory.token)
      try files.save(memory)
      guard try published(publishing, runner) else { return end() }
      try start(watch)
    } catch {
      end()
      throw error
    }
    DevelopmentAnnouncement(
      options: options, memory: memory, reach: reach, manifestURL: manifestURL(service),
      baseURL: settings.publicBaseURL,
      adminURL: Self.url(Self.clientHost(admin.host), admin.port), authorityPath: files.authorityPath
    ).write()
    runner.run(service.running { service.reloadCertificates(service.settings) })
    watch?.stop()
    desk.stop()
  }

  /// The configuration's defaults, but for what a person at a terminal needs otherwise.
  package static func settings(
    _ options: DevelopmentOptions, publicBaseURL: String, listen: HTTPServer.Binding, admin: HTTPServer.Binding,
    certificate: CertificateFiles
  ) -> ServiceSettings {
    var settings = ServiceSettings(
      stateDirectory: options.stateDirectory, publicBaseURL: publicBaseURL, clientListeners: [listen],
      adminListeners: [admin], certificate: certificate)
    settings.developmentApp = options.app
    settings.developmentTrack = .production
    settings.drainGrace = 2
    // What went well is told by the announcement and the page.
    settings.logLevel = .warning
    settings.accessLog = nil
    return settings
  }

  private func manifestURL(_ service: Service) -> String {
    service.store.manifestURL(bundleID: options.app, track: .production)
  }

  private func makeDesk(
    _ files: DevelopmentFiles, _ settings: ServiceSettings, _ reach: DevelopmentReach
  ) throws(DaemonFailure) -> DevelopmentDesk {
    let recorder: RequestRecorder?
    do throws(SystemFailure) {
      recorder = try options.recordPath.map { path throws(SystemFailure) in try RequestRecorder(path) }
    } catch {
      throw DaemonFailure(
        "Requests cannot be recorded: \(error.sentence)", exitCode: DaemonFailure.ExitCode.cannotCreate)
    }
    let profile: TrustProfile
    do throws(TLSFailure) { profile = try TrustProfile(authority: try files.authority()) } catch {
      throw DaemonFailure(error)
    }
    let base = settings.publicBaseURL
    return DevelopmentDesk(
      facts: .init(
        bundleID: options.app, baseURL: base, manifestURL: "\(base)/apps/\(options.app)/production/manifest.json",
        hosts: reach.names, isLoopbackOnly: reach.isLoopbackOnly), profile: profile, recorder: recorder)
  }

  /// Publishes on a thread of its own, so that Ctrl-C ends it at once; false when it came first.
  private func published(
    _ publishing: DevelopmentPublishing, _ runner: borrowing ServiceRunner
  ) throws(DaemonFailure) -> Bool {
    let start = Condition(Start.running)
    do throws(SystemFailure) {
      _ = try SystemThread(name: "publish") {
        do throws(DaemonFailure) {
          try publishing.publish()
          start.withLock { $0 = .done }
        } catch {
          let failure = error
          start.withLock { $0 = .failed(failure) }
        }
      }
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
    let isDone = { start.withLock { if case .running = $0 { false } else { true } } }
    guard runner.waits(until: isDone) else { return false }
    if case .failed(let failure) = start.withLock({ $0 }) { throw failure }
    return true
  }

  private func start(_ watch: DevelopmentWatch?) throws(DaemonFailure) {
    do throws(SystemFailure) { try watch?.start() } catch {
      throw DaemonFailure("The files cannot be watched: \(error).", exitCode: DaemonFailure.ExitCode.system)
    }
  }

  /// The last run's token while it is good, else a new one.
  private func token(_ store: PackStore, last: String?) throws(DaemonFailure) -> String {
    do throws(StoreFailure) {
      if let last, try store.verifyToken(last)?.role == .admin { return last }
      return try store.createToken(name: "development", role: .admin, actor: .daemon).secret
    } catch {
      throw DaemonFailure(error)
    }
  }

  /// The host that clients of this machine use for a listening address.
  private static func clientHost(_ host: String) -> String {
    switch host {
    case "*", "0.0.0.0", "::": "localhost"
    default: host
    }
  }

  private static func url(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "https://[\(host)]:\(port)" : "https://\(host):\(port)"
  }
}
