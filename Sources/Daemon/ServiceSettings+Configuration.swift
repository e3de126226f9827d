import AssetPacks
import Configuration
import Delivery
import EventLoop
import HTTPServer
import Observability
import Values

extension ServiceSettings {
  /// Checks what the configuration leaves to the domain. `file` is for messages.
  init(_ configuration: Configuration, file: String) throws(DaemonFailure) {
    let base: PublicBaseURL
    do throws(AssetPackFailure) {
      base = try PublicBaseURL(configuration.publicBaseURL)
    } catch {
      throw Self.fault(file, "publicBaseURL: \(error.sentence)")
    }
    self.init(
      stateDirectory: configuration.stateDirectory, publicBaseURL: base.text,
      clientListeners: configuration.listeners.client.addresses.map(Self.binding),
      adminListeners: configuration.listeners.admin.addresses.map(Self.binding),
      clientCertificate: Self.certificate(configuration.listeners.client),
      adminCertificate: Self.certificate(configuration.listeners.admin))
    loops = configuration.loops
    workers = configuration.workers
    drainGrace = Int64(configuration.drainGrace.seconds)
    logLevel = Log.Level(name: configuration.logLevel.rawValue) ?? .info
    accessLog =
      switch configuration.accessLog {
      case .off: nil
      case .standardError: .standardError
      case .file(let path): .file(path)
      }
    let client = configuration.listeners.client
    moreClientCertificates = client.certificates.map {
      CertificateFiles(certificate: $0.certificate, privateKey: $0.privateKey)
    }
    adminClientAuthority = configuration.listeners.admin.clientAuthority
    for text in client.trustedProxies {
      guard let range = AddressRange(text) else {
        let expected = "expected an IP address or a network without bits behind its prefix"
        throw Self.fault(file, "listeners.client.trustedProxies: \(expected), found \"\(text)\"")
      }
      trustedProxies.append(range)
    }
    proxyProtocol = client.proxyProtocol
    metricsAreOpen = configuration.metricsAreOpen
    apply(configuration.limits)
    apply(configuration.quota, configuration.retention)
    apply(configuration.deadlines)
    apply(configuration.authentication)
    webhooks = try WebhookSettings(configuration.webhooks, file: file)
    if let override = configuration.developmentOverride {
      guard let app = try? BundleID(override.app) else {
        throw Self.fault(file, "developmentOverride.app: \(override.app) is no bundle ID")
      }
      guard let track = Track(rawValue: override.track) else {
        throw Self.fault(file, "developmentOverride.track: expected production, beta or internal")
      }
      development = SnapshotBuilder.Development(bundleID: app.text, track: track)
    }
  }

  private mutating func apply(_ limits: Configuration.Limits) {
    self.limits.request.headBytes = Int(clamping: limits.requestHead.bytes)
    self.limits.headerTime = Int64(limits.headerTime.seconds)
    self.limits.idleTime = Int64(limits.idleTime.seconds)
    self.limits.uploadStall = Int64(limits.uploadStall.seconds)
    self.limits.request.ranges = limits.ranges
    self.limits.connections = limits.connections
    self.limits.requestsInHand = limits.adminRequests
    adminConnections = limits.adminConnections
    workerQueue = limits.workerQueue
    freeSpace = Int64(clamping: limits.freeSpace.bytes)
    logBuffer = Int(clamping: limits.logBuffer.bytes)
    self.limits.connectionsPerAddress = limits.connectionsPerAddress
    self.limits.minimumRate = Int64(clamping: limits.minimumRate.bytesPerSecond.bytes)
    self.limits.rateWindow = Int64(limits.minimumRate.window.seconds)
    adminBodyLimit = Int(clamping: limits.adminBody.bytes)
    packSizeLimit = Int64(clamping: limits.packSize.bytes)
    partSize = Int64(clamping: limits.partSize.bytes)
    processing.blockSize = Int(clamping: limits.blockSize.bytes)
    processing.entries = limits.entries
    processing.decodedBytes = Int64(clamping: limits.decodedBytes.bytes)
    processing.time = Int64(limits.processingTime.seconds)
  }

  private mutating func apply(_ quota: Configuration.Quota, _ retention: Configuration.Retention) {
    let named = Quota(QuotaPreset(rawValue: quota.preset) ?? .apple)
    self.quota = named
    if let bytes = quota.bytes { self.quota.maximumBytes = bytes.bytes }
    if let packs = quota.packs { self.quota.maximumPacks = packs }
    if self.quota != named { self.quota.preset = .custom }
    self.quota.isEnforced = quota.enforced
    serverQuota = quota.serverBytes.map { Int64($0.bytes) }
    self.retention = Retention(
      supersededVersions: retention.supersededVersions, supersededTime: Int64(retention.supersededTime.seconds),
      grace: Int64(retention.grace.seconds), archiveTime: Int64(retention.archiveTime.seconds))
  }

  private mutating func apply(_ deadlines: Configuration.Deadlines) {
    deadlineInterval = Int64(deadlines.interval.seconds)
    let spans: [(Deadline, TimeSpan)] = [
      (.upload, deadlines.upload), (.processing, deadlines.processing), (.submission, deadlines.submission),
      (.draft, deadlines.draft), (.waitingForReview, deadlines.waitingForReview), (.inReview, deadlines.inReview),
      (.accepted, deadlines.accepted), (.rejected, deadlines.rejected),
      (.rollout, deadlines.rollout), (.pausedRollout, deadlines.pausedRollout),
    ]
    for (deadline, span) in spans { self.deadlines[deadline] = span.seconds }
  }

  private mutating func apply(_ rules: Configuration.Authentication) {
    authentication.audience = rules.audience
    authentication.rotationOverlap = Int64(rules.rotationOverlap.seconds)
    authentication.failures = rules.failures
    authentication.failurePause = Int64(rules.failurePause.seconds)
  }

  /// The keys whose new values wait for a restart.
  func restartOnlyDifferences(from old: ServiceSettings) -> [String] {
    var names: [String] = []
    if stateDirectory != old.stateDirectory { names.append("stateDirectory") }
    if publicBaseURL != old.publicBaseURL { names.append("publicBaseURL") }
    if clientListeners != old.clientListeners { names.append("listeners.client.addresses") }
    if adminListeners != old.adminListeners { names.append("listeners.admin.addresses") }
    if trustedProxies != old.trustedProxies { names.append("listeners.client.trustedProxies") }
    if proxyProtocol != old.proxyProtocol { names.append("listeners.client.proxyProtocol") }
    if metricsAreOpen != old.metricsAreOpen { names.append("metrics.open") }
    if loops != old.loops { names.append("loops") }
    if workers != old.workers { names.append("workers") }
    if limits != old.limits || processing != old.processing || adminBodyLimit != old.adminBodyLimit
      || packSizeLimit != old.packSizeLimit || partSize != old.partSize || adminConnections != old.adminConnections
      || workerQueue != old.workerQueue || freeSpace != old.freeSpace || logBuffer != old.logBuffer
    {
      names.append("limits")
    }
    if quota != old.quota || serverQuota != old.serverQuota { names.append("quota") }
    if retention != old.retention { names.append("retention") }
    if deadlines != old.deadlines || deadlineInterval != old.deadlineInterval { names.append("deadlines") }
    if authentication != old.authentication { names.append("authentication") }
    if webhooks != old.webhooks { names.append("webhooks") }
    if accessLog != old.accessLog { names.append("accessLog") }
    if drainGrace != old.drainGrace { names.append("drainGrace") }
    if logLevel != old.logLevel { names.append("log.level") }
    return names
  }

  private static func binding(_ address: SocketAddress) -> HTTPServer.Binding {
    let host =
      switch address.host {
      case .any: "*"
      case .ipv4(let text), .ipv6(let text): text
      }
    return HTTPServer.Binding(host: host, port: address.port)
  }

  private static func certificate(_ listener: Configuration.Listener) -> CertificateFiles {
    CertificateFiles(certificate: listener.certificate, privateKey: listener.privateKey)
  }

  static func fault(_ file: String, _ problem: String) -> DaemonFailure {
    DaemonFailure("\(file): \(problem).", exitCode: DaemonFailure.ExitCode.configuration)
  }
}
