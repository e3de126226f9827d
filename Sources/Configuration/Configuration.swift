import Values

/// What the daemon is told in its configuration file.
package struct Configuration: Equatable, Sendable {
  /// Paths of PEM files: a certificate with its chain, and its private key.
  package struct CertificateFiles: Equatable, Sendable {
    package var certificate: String
    package var privateKey: String

    package init(certificate: String, privateKey: String) {
      self.certificate = certificate
      self.privateKey = privateKey
    }
  }

  /// A listening side with its certificate.
  package struct Listener: Equatable, Sendable {
    package var addresses: [SocketAddress]
    /// Paths of PEM files: the certificate with its chain, and its private key.
    package var certificate: String
    package var privateKey: String
    /// More certificates, for clients that ask for one of their names.
    package var certificates: [CertificateFiles] = []
    /// Addresses and networks of proxies; their form is checked where they are used.
    package var trustedProxies: [String] = []
    /// Whether trusted proxies send a PROXY header.
    package var proxyProtocol = false
    /// Path of a PEM file with the authorities of client certificates; nil asks for none.
    package var clientAuthority: String?

    package init(addresses: [SocketAddress], certificate: String, privateKey: String) {
      self.addresses = addresses
      self.certificate = certificate
      self.privateKey = privateKey
    }
  }

  package struct Listeners: Equatable, Sendable {
    package var client: Listener
    package var admin: Listener
  }

  /// The slowest average rate that a transfer may have.
  package struct MinimumRate: Equatable, Sendable {
    /// Per second; 0 is no limit.
    package var bytesPerSecond: ByteCount
    package var window: TimeSpan
  }

  package struct Limits: Equatable, Sendable {
    package var requestHead: ByteCount
    package var headerTime: TimeSpan
    package var idleTime: TimeSpan
    package var uploadStall: TimeSpan
    package var minimumRate: MinimumRate
    package var ranges: Int
    package var connections: Int
    package var connectionsPerAddress: Int
    package var adminConnections: Int
    package var adminRequests: Int
    package var workerQueue: Int
    package var adminBody: ByteCount
    package var packSize: ByteCount
    package var partSize: ByteCount
    package var blockSize: ByteCount
    package var entries: Int
    package var decodedBytes: ByteCount
    package var processingTime: TimeSpan
    package var freeSpace: ByteCount
    package var logBuffer: ByteCount
  }

  /// What apps may store that have no quota of their own, and all of them together.
  package struct Quota: Equatable, Sendable {
    /// The name of a preset; its form is checked against the table of keys.
    package var preset: String
    /// Nil takes the preset's.
    package var bytes: ByteCount?
    package var packs: Int?
    /// Whether what does not fit is refused.
    package var enforced: Bool
    /// Nil when only the disk limits it.
    package var serverBytes: ByteCount?
  }

  /// How long versions are kept that nobody needs.
  package struct Retention: Equatable, Sendable {
    package var supersededVersions: Int
    package var supersededTime: TimeSpan
    package var grace: TimeSpan
    package var archiveTime: TimeSpan
  }

  /// How long things may sit in a state before someone is told; 0 is for ever.
  package struct Deadlines: Equatable, Sendable {
    /// The time between two looks.
    package var interval: TimeSpan
    package var upload: TimeSpan
    package var processing: TimeSpan
    package var submission: TimeSpan
    package var draft: TimeSpan
    package var waitingForReview: TimeSpan
    package var inReview: TimeSpan
    package var accepted: TimeSpan
    package var rejected: TimeSpan
    package var rollout: TimeSpan
    package var pausedRollout: TimeSpan
  }

  /// The manifest that devices with a development override get.
  package struct DevelopmentOverride: Equatable, Sendable {
    /// A bundle ID; its form is not checked here.
    package var app: String
    /// `production`, `beta` or `internal`.
    package var track: String

    package init(app: String, track: String) {
      self.app = app
      self.track = track
    }
  }

  /// Who gets in to the admin API.
  package struct Authentication: Equatable, Sendable {
    /// What `aud` of a signed token must be.
    package var audience: String
    package var rotationOverlap: TimeSpan
    /// Failed attempts of one address that are answered at once.
    package var failures: Int
    package var failurePause: TimeSpan
  }

  /// Where webhooks may go, and how long is tried.
  package struct Webhooks: Equatable, Sendable {
    /// Hosts, a wildcard allowed as the first label; their form is checked where they are used.
    package var hosts: [String]
    /// Addresses and networks; their form is checked where they are used.
    package var privateNetworks: [String]
    /// Path of a PEM file with authorities; nil is the machine's own.
    package var authority: String?
    package var timeout: TimeSpan
    package var firstRetry: TimeSpan
    package var retryFor: TimeSpan
  }

  package enum AccessLog: Equatable, Sendable {
    case off
    case standardError
    case file(String)
  }

  package enum LogLevel: String, CaseIterable, Sendable {
    case error, warning, info, debug
  }

  package var stateDirectory: String
  /// An https URL; its parts are not checked here.
  package var publicBaseURL: String
  package var listeners: Listeners
  /// 0 is one for each core.
  package var loops: Int
  package var workers: Int
  package var limits: Limits
  package var quota: Quota
  package var retention: Retention
  package var developmentOverride: DevelopmentOverride?
  package var authentication: Authentication
  package var webhooks: Webhooks
  package var accessLog: AccessLog
  /// Whether `/metrics` needs no token.
  package var metricsAreOpen: Bool
  package var deadlines: Deadlines
  package var drainGrace: TimeSpan
  package var logLevel: LogLevel
}
