import AdminAPI
import AppleArchive
import CLinux
import Delivery
import EventLoop
import Glibc
import HTTPServer
import Observability
import PackStore
import Processing
import Synchronization
import SystemIO
import TLS
import Webhooks

/// A running server: store, processor, listeners. Started in the order in which each part needs the one
/// before it, and stopped in the opposite order.
package final class Service: Sendable {
  private static let clientListener = 0
  private static let adminListener = 1

  package let settings: ServiceSettings
  package let store: PackStore
  package let log: Log
  private let workers: WorkerPool
  private let server: HTTPServer
  private let processor: Processor
  private let publisher: Publisher
  private let accessLog: AccessLog?
  private let isReady: Readiness
  private let certificates: CertificateKeeper
  private let census: CatalogCensus
  private let webhooks: WebhookDispatcher
  private let authentication: AuthenticationCounts
  private let admissions: OpenFileLimit.Admissions
  private let publishRetry = PublishRetry(now: MonotonicClock.system.now() / 1_000_000_000)
  private let refusals = NamedCounts()
  private let processingFailures = NamedCounts()
  private let deadlines: DeadlineWatch

  /// Whether the service is to be offered traffic.
  private final class Readiness: Sendable {
    let flag = Atomic<Bool>(false)
  }

  /// Opens the state folder, puts right what the last run left half-done, and begins to serve.
  package convenience init(
    _ settings: ServiceSettings, sockets: InheritedSockets = InheritedSockets()
  ) throws(DaemonFailure) {
    try self.init(settings, sockets: sockets, respond: Publisher.plain)
  }

  /// The same with something around what the client listener answers.
  init(
    _ settings: ServiceSettings, sockets: InheritedSockets = InheritedSockets(), respond: @escaping SnapshotResponder
  ) throws(DaemonFailure) {
    self.settings = settings
    let log = Log(threshold: settings.logLevel)
    self.log = log
    let files = OpenFileLimit.raised()
    let certificates = try CertificateKeeper(settings.listenerFiles, loopCount: settings.loopCount, log: log)
    self.certificates = certificates

    let store = try Self.openStore(settings, log)
    self.store = store
    let census = CatalogCensus(store: store)
    self.census = census
    let openPacks = files.packs(besides: settings.limits.connections + settings.adminConnections)
    let publisher = Publisher(
      store: store, development: settings.development, openFiles: openPacks, log: log, respond: respond)
    self.publisher = publisher
    let snapshot = try Self.stored { () throws(StoreFailure) in try publisher.build() }

    let processor: Processor
    do throws(SystemFailure) {
      accessLog =
        if let destination = settings.accessLog { try Self.accessLog(destination, settings, log) } else { nil }
      workers = try WorkerPool(name: "worker", threads: settings.workers, capacity: settings.workerQueue)
      processor = try Processor(
        store: store, limits: settings.processing.limits, log: log,
        failed: { [processingFailures] in processingFailures.add($0) }, completed: { publisher.publish() })
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
    self.processor = processor
    deadlines = try Self.watch(settings, store, log)

    let readiness = Readiness()
    isReady = readiness
    let metrics = MetricsSource()
    var surroundings = AdminAPI.Surroundings(
      bodyLimit: settings.adminBodyLimit,
      isReady: { readiness.flag.load(ordering: .relaxed) }, published: { publisher.publish() },
      settled: { processor.waitUntilSettled(version: $0) },
      committed: { processor.wake() }, metrics: { metrics.text }, metricsAreOpen: settings.metricsAreOpen,
      refused: { [refusals] in refusals.add($0) })
    surroundings.authentication = settings.authentication
    surroundings.webhooks = try settings.webhooks.rules()
    let admin = try Self.stored { [surroundings] () throws(StoreFailure) in
      try AdminAPI(store: store, surroundings: surroundings, log: log)
    }
    authentication = admin.authenticationCounts
    let admissions = files.admissions(
      connections: settings.limits.connections, perAddress: settings.limits.connectionsPerAddress,
      adminConnections: settings.adminConnections,
      open: (ProcessFacts.openDescriptors ?? 0) + min(snapshot.closedFiles, max(0, openPacks - snapshot.openFiles)))
    self.admissions = admissions
    if let warning = admissions.warning { log.warning(warning) }
    var listeners = settings.listeners(
      certificates, sockets, client: respond(snapshot), admin: { admin.respond($0) })
    listeners[Self.clientListener].admission = admissions.client
    listeners[Self.adminListener].admission = admissions.admin
    do throws(SystemFailure) {
      server = try HTTPServer(
        listeners: listeners, loopCount: settings.loopCount,
        limits: settings.limits, workers: workers,
        accessLog: accessLog)
    } catch {
      throw DaemonFailure(listening: error)
    }
    webhooks = try Self.startWebhooks(store, surroundings.webhooks, log)
    metrics.attach(self)
    publisher.attach(server, listener: Self.clientListener)
    processor.wake()
    readiness.flag.store(true, ordering: .relaxed)
    // What a start need not wait for: the files of old versions, and the copies for a start without a catalog.
    let rest: @Sendable () -> Void = {
      publisher.publish()
      store.writePublications()
    }
    if !workers.submit(rest) { rest() }
  }

  /// Brings the certificates that `fresh` names into service. What cannot be used is logged, and the old ones stay.
  package func reloadCertificates(_ fresh: ServiceSettings) {
    certificates.reload(fresh.listenerFiles, server: server)
  }

  /// What `/metrics` tells now.
  var readings: ServiceReadings {
    var readings = ServiceReadings()
    readings.version = ProgramVersion.text
    readings.now = WallClock.system.now()
    readings.listeners = server.statistics
    readings.deliveries = server.deliveries.present
    readings.workersWaiting = workers.waiting
    readings.workersCapacity = workers.capacity
    readings.loops = settings.loopCount
    readings.versions = census.counts
    (readings.quotas, readings.storedBytes) = census.quotas
    readings.stuck = deadlines.counts
    readings.certificates = certificates.certificates
    readings.snapshotFaults = publisher.faults.load(ordering: .relaxed)
    readings.publishes = publisher.published.load(ordering: .relaxed)
    readings.failedPublishes = publisher.failed.load(ordering: .relaxed)
    readings.authenticationFailures = authentication.present
    readings.webhooks = webhooks.counts
    readings.webhookBacklog = (try? store.pendingWebhookDeliveryCount()) ?? 0
    readings.requestsInHand = server.load.requestsInHand
    readings.connectionLimits = [
      ("client", admissions.client.connections), ("admin", admissions.admin.connections),
    ]
    readings.refusals = refusals.present
    readings.processingFailures = processingFailures.present
    readings.lostLogLines = accessLog?.lostLines ?? 0
    readings.freeBytes = FreeSpace.bytes(at: settings.stateDirectory)
    readings.isReady = isReady.flag.load(ordering: .relaxed)
    return readings
  }

  /// TLS handshakes of the client listener that came to nothing.
  var failedClientHandshakes: Int { server.statistics.first?[.handshakesFailed] ?? 0 }

  /// Opens the access log again by its name, after a rotation.
  package func reopenAccessLog() { accessLog?.reopen() }

  /// Changes what `/manifest` answers with.
  package func setDevelopment(_ development: SnapshotBuilder.Development?) { publisher.setDevelopment(development) }

  /// Waits until nothing is left to process.
  package func finishProcessing() { processor.waitUntilIdle() }

  /// Makes the latest state of the store visible.
  package func publish() { publisher.publish() }

  private func retryPublishing() {
    let isDue = publishRetry.isDue(
      failed: publisher.failed.load(ordering: .relaxed), published: publisher.published.load(ordering: .relaxed),
      faults: publisher.faults.load(ordering: .relaxed), now: MonotonicClock.system.now() / 1_000_000_000)
    if isDue { publisher.publish() }
  }

  /// Starts the processing of what was committed.
  package func wakeProcessor() { processor.wake() }

  /// This service as the first thread sees it.
  func running(reload: @escaping () -> Void) -> RunningService {
    RunningService(
      status: {
        let serving = "Serving \(self.settings.publicBaseURL)"
        return self.certificates.problem.map { "CERTIFICATE: \($0) \(serving)" } ?? serving
      }, log: log, drainGrace: settings.drainGrace,
      isAlive: { self.server.isAlive }, reload: reload,
      look: {
        self.certificates.look(server: self.server)
        self.processor.retry()
        self.server.look()
        self.retryPublishing()
      }, stop: { self.stop() })
  }

  /// Lets transfers finish, ends all threads, and returns when nothing runs any more.
  package func stop() {
    isReady.flag.store(false, ordering: .relaxed)
    server.drain(graceSeconds: settings.drainGrace)
    webhooks.stop()
    processor.stop()
    deadlines.stop()
    workers.stop()
    accessLog?.stop()
  }

  private static func openStore(_ settings: ServiceSettings, _ log: Log) throws(DaemonFailure) -> PackStore {
    try stored { () throws(StoreFailure) in
      var options = StoreOptions(folder: settings.stateDirectory, publicBaseURL: settings.publicBaseURL)
      options.fileSizeLimit = settings.packSizeLimit
      options.partSize = settings.partSize
      options.quota = settings.quota.quota
      options.serverQuota = settings.serverQuota
      options.retention = settings.retention
      options.freeSpace = settings.freeSpace
      let store = try PackStore(options)
      let report = try store.recover(writesPublications: false)
      for version in report.failedVersions {
        log.error("\(version.assetPackIdentifier) version \(version.number) has FAILED: its received bytes are gone.")
      }
      if try store.manifestsNeedRerender() {
        try store.rerenderManifests()
        log.notice("The manifests were made again for \(settings.publicBaseURL).")
      }
      return store
    }
  }

  private static func watch(
    _ settings: ServiceSettings, _ store: PackStore, _ log: Log
  ) throws(DaemonFailure) -> DeadlineWatch {
    do throws(SystemFailure) {
      return try DeadlineWatch(
        store: store, deadlines: settings.deadlines, interval: settings.deadlineInterval, log: log)
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
  }

  private static func startWebhooks(
    _ store: PackStore, _ rules: WebhookRules, _ log: Log
  ) throws(DaemonFailure) -> WebhookDispatcher {
    do throws(WebhookStartFailure) {
      return try WebhookDispatcher(
        store: store, rules: rules, userAgent: "packhouse/\(ProgramVersion.text)", log: log)
    } catch {
      let isFile = if case .tls = error { true } else { false }
      throw DaemonFailure(
        error.sentence, exitCode: isFile ? DaemonFailure.ExitCode.configuration : DaemonFailure.ExitCode.system)
    }
  }

  private static func stored<Value>(_ body: () throws(StoreFailure) -> Value) throws(DaemonFailure) -> Value {
    do throws(StoreFailure) {
      return try body()
    } catch {
      throw DaemonFailure(error)
    }
  }

  private static func accessLog(
    _ destination: AccessLog.Destination, _ settings: ServiceSettings, _ log: Log
  ) throws(SystemFailure) -> AccessLog {
    try AccessLog(destination, capacity: settings.logBuffer, log: log)
  }
}
