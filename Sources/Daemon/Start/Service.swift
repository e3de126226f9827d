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
  private let refusals = NamedCounts()
  private let processingFailures = NamedCounts()
  private let deadlines: DeadlineWatch
  private let parts: RunningParts

  /// Whether the service is to be offered traffic.
  private final class Readiness: Sendable {
    let flag = Atomic<Bool>(false)
  }

  /// Opens the state folder, puts right what the last run left half-done, and begins to serve.
  package convenience init(
    _ settings: ServiceSettings, sockets: InheritedSockets = InheritedSockets(), clock: MonotonicClock = .system
  ) throws(DaemonFailure) {
    try self.init(settings, sockets: sockets, clock: clock, respond: Publisher.plain)
  }

  /// The same with something around what the client listener answers.
  package convenience init(
    _ settings: ServiceSettings, sockets: InheritedSockets = InheritedSockets(), clock: MonotonicClock = .system,
    respond: @escaping SnapshotResponder
  ) throws(DaemonFailure) {
    let parts = RunningParts()
    do throws(DaemonFailure) {
      try self.init(settings, sockets, clock, respond, parts)
    } catch {
      parts.stop()
      throw error
    }
  }

  /// Adds what it starts to `parts`, which its caller stops when this throws.
  private init(
    _ settings: ServiceSettings, _ sockets: InheritedSockets, _ clock: MonotonicClock,
    _ respond: @escaping SnapshotResponder, _ parts: RunningParts
  ) throws(DaemonFailure) {
    self.settings = settings
    self.parts = parts
    let log = Log(threshold: settings.logLevel)
    self.log = log
    let files = OpenFileLimit.raised()
    let certificates = try CertificateKeeper(
      settings.listenerFiles, loopCount: settings.loopCount, sealing: RecordSealingDecision(settings.sealRecords),
      log: log)
    self.certificates = certificates

    let store = try stored(try Self.openStore(settings, log))
    self.store = store
    let census = CatalogCensus(store: store)
    self.census = census
    let openPacks = files.packs(besides: settings.limits.connections + settings.adminConnections)
    let publisher = Publisher(
      blobs: store.blobs, liveState: { (previous) throws(StoreFailure) in try store.liveState(after: previous) },
      development: settings.development, openFiles: openPacks, log: log, clock: clock, respond: respond)
    self.publisher = publisher
    store.tell(publisher)
    let snapshot = try stored(try publisher.build())

    let processor: Processor
    do throws(SystemFailure) {
      accessLog =
        if let destination = settings.accessLog { try Self.accessLog(destination, settings, log) } else { nil }
      parts.add { [accessLog] in accessLog?.stop() }
      workers = try WorkerPool(name: "worker", threads: settings.workers, capacity: settings.workerQueue)
      parts.add { [workers] in workers.stop() }
      processor = try Processor(
        store: store, limits: settings.processing.limits, log: log,
        failed: { [processingFailures] in processingFailures.add($0) })
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
    self.processor = processor
    parts.add { processor.stop() }
    deadlines = try Self.watch(settings, store, log)
    parts.add { [deadlines] in deadlines.stop() }

    let readiness = Readiness()
    isReady = readiness
    let metrics = MetricsSource()
    var dependencies = AdminAPI.Dependencies(
      bodyLimit: settings.adminBodyLimit,
      isReady: { readiness.flag.load(ordering: .relaxed) },
      settled: { processor.waitUntilSettled(version: $0) },
      committed: { processor.wake() }, metrics: { metrics.text }, metricsAreOpen: settings.metricsAreOpen,
      refused: { [refusals] in refusals.add($0) })
    dependencies.authentication = settings.authentication
    dependencies.webhooks = try settings.webhooks.rules()
    let admin = try stored(try AdminAPI(store: store, dependencies: dependencies, log: log))
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
    webhooks = try Self.webhooks(store, dependencies.webhooks, log)
    parts.add { [webhooks] in webhooks.stop() }
    do throws(SystemFailure) {
      server = try HTTPServer(
        listeners: listeners, loopCount: settings.loopCount,
        limits: settings.limits, workers: workers,
        accessLog: accessLog)
    } catch {
      throw DaemonFailure(listening: error)
    }
    parts.add { [server] in
      readiness.flag.store(false, ordering: .relaxed)
      server.drain(graceSeconds: settings.drainGrace)
    }
    do throws(SystemFailure) { try webhooks.start() } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
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
    readings.recordSealing = certificates.sealing.state
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
  package var failedClientHandshakes: Int { server.statistics.first?[.handshakesFailed] ?? 0 }

  /// Opens the access log again by its name, after a rotation.
  package func reopenAccessLog() { accessLog?.reopen() }

  /// Changes what `/manifest` answers with.
  package func setDevelopmentOverride(_ development: SnapshotBuilder.Development?) {
    publisher.setDevelopmentOverride(development)
  }

  /// Waits until nothing is left to process.
  package func finishProcessing() { processor.waitUntilIdle() }

  /// Makes the latest state of the store visible.
  package func publish() { publisher.publish() }

  /// Starts the processing of what was committed.
  package func wakeProcessor() { processor.wake() }

  /// This service as the first thread sees it. `stop` is for what else is to be stopped with it, and stops it too.
  package func handle(reload: @escaping () -> Void, stop: (() -> Void)? = nil) -> ServiceHandle {
    ServiceHandle(
      status: {
        let serving = "Serving \(self.settings.publicBaseURL)"
        return self.certificates.problem.map { "CERTIFICATE: \($0) \(serving)" } ?? serving
      }, log: log, drainGrace: settings.drainGrace,
      isAlive: { self.server.isAlive }, reload: reload,
      look: {
        self.certificates.look(server: self.server)
        self.processor.retry()
        self.server.look()
        self.publisher.retry()
        self.store.writeMissingPublications()
      }, stop: stop ?? { self.stop() })
  }

  /// Lets transfers finish, ends all threads, and returns when nothing runs any more. A second call does nothing.
  package func stop() { parts.stop() }

  private static func openStore(_ settings: ServiceSettings, _ log: Log) throws(StoreFailure) -> PackStore {
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
      log.error(
        "\(version.assetPackIdentifier) version \(version.number) FAILED: its bytes are missing. Push it again."
      )
    }
    if try store.manifestsNeedRerender() {
      try store.rerenderManifests()
      log.notice("The manifests were rendered again for \(settings.publicBaseURL).")
    }
    return store
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

  private static func webhooks(
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

  private static func accessLog(
    _ destination: AccessLog.Destination, _ settings: ServiceSettings, _ log: Log
  ) throws(SystemFailure) -> AccessLog {
    try AccessLog(destination, capacity: settings.logBuffer, log: log)
  }
}
