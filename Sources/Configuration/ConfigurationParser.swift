import JSONText

extension Configuration {
  /// Reads a configuration file: JSON with comments, trailing commas, and keys without quotes.
  /// - Parameter fileName: for the messages only.
  /// - Throws: `ConfigurationFailure` with every fault, each with its line and key path.
  package static func parse(_ bytes: [UInt8], fileName: String) throws(ConfigurationFailure) -> Configuration {
    let document: JSONDocument
    do {
      document = try JSONParser.parse(bytes, dialect: .relaxed, limits: JSONLimits(byteCount: 1 << 20))
    } catch {
      let problem = "expected \(error.expected), found \(error.found)"
      throw .faults(
        fileName: fileName,
        [ConfigurationFailure.Fault(position: error.position, keyPath: "", problem: problem)])
    }
    var reader = ConfigurationReader(document: document)
    let configuration = reader.configuration()
    guard let configuration, reader.faults.isEmpty else { throw .faults(fileName: fileName, reader.sortedFaults) }
    return configuration
  }
}

extension ConfigurationReader {
  fileprivate mutating func configuration() -> Configuration? {
    let stateDirectory = text("stateDirectory")
    let publicBaseURL = text("publicBaseURL")
    let client = listener("listeners.client", certificate: nil, privateKey: nil)
    let admin = adminListener(client: client)
    let loops = integer("loops")
    let workers = integer("workers")
    let limits = limits()
    let quota = quota()
    let retention = Configuration.Retention(
      supersededVersions: integer("retention.supersededVersions"), supersededTime: time("retention.supersededTime"),
      grace: time("retention.grace"), archiveTime: time("retention.archiveTime"))
    let accessLog = text("accessLog")
    let authentication = authentication()
    let webhooks = webhooks()
    let metricsAreOpen = flag("metrics.open")
    let deadlines = deadlines()
    let drainGrace = time("drainGrace")
    let level = text("log.level").flatMap(Configuration.LogLevel.init(rawValue:))
    var override: Configuration.DevelopmentOverride?
    if hasSection("developmentOverride"), let track = text("developmentOverride.track"),
      let app = text("developmentOverride.app")
    {
      override = Configuration.DevelopmentOverride(app: app, track: track)
    }
    guard let authentication, let stateDirectory, let publicBaseURL, var client, var admin, let accessLog, let level
    else { return nil }
    client.certificates = certificates("listeners.client.certificates")
    client.trustedProxies = networks("listeners.client.trustedProxies")
    client.proxyProtocol = flag("listeners.client.proxyProtocol")
    if client.proxyProtocol, client.trustedProxies.isEmpty {
      note(
        Self.path("listeners.client.proxyProtocol"),
        "expected listeners.client.trustedProxies beside it, found none; PROXY headers are believed of those only")
    }
    admin.clientAuthority = document.root[Self.path("listeners.admin.clientAuthority")].flatMap { _ in
      text("listeners.admin.clientAuthority")
    }
    return Configuration(
      stateDirectory: stateDirectory, publicBaseURL: publicBaseURL,
      listeners: Configuration.Listeners(client: client, admin: admin), loops: loops, workers: workers, limits: limits,
      quota: quota, retention: retention, developmentOverride: override, authentication: authentication,
      webhooks: webhooks, accessLog: Self.accessLog(accessLog), metricsAreOpen: metricsAreOpen, deadlines: deadlines,
      drainGrace: drainGrace, logLevel: level)
  }

  private mutating func listener(
    _ section: String, certificate: String?, privateKey: String?
  ) -> Configuration.Listener? {
    let addresses = addresses(section + ".addresses")
    guard let certificate = certificate ?? text(section + ".certificate"),
      let privateKey = privateKey ?? text(section + ".privateKey")
    else { return nil }
    return Configuration.Listener(addresses: addresses, certificate: certificate, privateKey: privateKey)
  }

  /// The admin listener has a certificate and key of its own, or both of the client listener's.
  private mutating func adminListener(client: Configuration.Listener?) -> Configuration.Listener? {
    let names = ["certificate", "privateKey"]
    let paths = names.map { Self.path("listeners.admin." + $0) }
    let present = paths.filter { document.root[$0] != nil }
    if present.count == 2 { return listener("listeners.admin", certificate: nil, privateKey: nil) }
    if let alone = present.first, let other = paths.first(where: { $0 != alone }) {
      note(other, "expected a path beside \(alone.keyPath), found nothing; leave both out to use the client listener's")
    }
    return listener(
      "listeners.admin", certificate: client?.certificate ?? "", privateKey: client?.privateKey ?? "")
  }

  private mutating func deadlines() -> Configuration.Deadlines {
    Configuration.Deadlines(
      interval: time("deadlines.interval"), upload: time("deadlines.upload"), processing: time("deadlines.processing"),
      submission: time("deadlines.submission"), draft: time("deadlines.draft"),
      waitingForReview: time("deadlines.waitingForReview"), inReview: time("deadlines.inReview"),
      accepted: time("deadlines.accepted"), rejected: time("deadlines.rejected"),
      rollout: time("deadlines.rollout"), pausedRollout: time("deadlines.pausedRollout"))
  }

  private mutating func limits() -> Configuration.Limits {
    let limits = Configuration.Limits(
      requestHead: bytes("limits.requestHead"), headerTime: time("limits.headerTime"),
      idleTime: time("limits.idleTime"), uploadStall: time("limits.uploadStall"),
      minimumRate: Configuration.MinimumRate(
        bytesPerSecond: bytes("limits.minimumRate.bytesPerSecond"), window: time("limits.minimumRate.window")),
      ranges: integer("limits.ranges"), connections: integer("limits.connections"),
      connectionsPerAddress: integer("limits.connectionsPerAddress"),
      adminConnections: integer("limits.adminConnections"), adminRequests: integer("limits.adminRequests"),
      workerQueue: integer("limits.workerQueue"),
      adminBody: bytes("limits.adminBody"), packSize: bytes("limits.packSize"), partSize: bytes("limits.partSize"),
      blockSize: bytes("limits.blockSize"), entries: integer("limits.entries"),
      decodedBytes: bytes("limits.decodedBytes"), processingTime: time("limits.processingTime"),
      freeSpace: bytes("limits.freeSpace"), logBuffer: bytes("limits.logBuffer"))
    // Only when both values are sound by themselves.
    if limits.connections > 0, limits.connectionsPerAddress > limits.connections,
      document.root[Self.path("limits.connectionsPerAddress")] != nil
    {
      note(
        Self.path("limits.connectionsPerAddress"),
        "expected at most limits.connections (\(limits.connections)), found \(limits.connectionsPerAddress)")
    }
    return limits
  }

  private mutating func quota() -> Configuration.Quota {
    func isGiven(_ key: String, _ document: JSONDocument) -> Bool { document.root[Self.path(key)] != nil }
    var quota = Configuration.Quota(
      preset: text("quota.preset") ?? "", bytes: nil, packs: nil, enforced: flag("quota.enforced"), serverBytes: nil)
    if isGiven("quota.bytes", document) { quota.bytes = bytes("quota.bytes") }
    if isGiven("quota.packs", document) { quota.packs = integer("quota.packs") }
    if isGiven("quota.serverBytes", document) { quota.serverBytes = bytes("quota.serverBytes") }
    return quota
  }

  private mutating func authentication() -> Configuration.Authentication? {
    let (overlap, pause) = (time("authentication.rotationOverlap"), time("authentication.failurePause"))
    let failures = integer("authentication.failures")
    return text("authentication.audience").map {
      Configuration.Authentication(audience: $0, rotationOverlap: overlap, failures: failures, failurePause: pause)
    }
  }

  private mutating func webhooks() -> Configuration.Webhooks {
    Configuration.Webhooks(
      hosts: hosts("webhooks.hosts"), privateNetworks: networks("webhooks.privateNetworks"),
      authority: document.root[Self.path("webhooks.authority")].flatMap { _ in text("webhooks.authority") },
      timeout: time("webhooks.timeout"), firstRetry: time("webhooks.firstRetry"),
      retryFor: time("webhooks.retryFor"))
  }

  private static func accessLog(_ text: String) -> Configuration.AccessLog {
    switch text {
    case "off": .off
    case "stderr": .standardError
    default: .file(text)
    }
  }
}
