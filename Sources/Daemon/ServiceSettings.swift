import AdminAPI
import AppleArchive
import AssetPacks
import Delivery
import EventLoop
import Glibc
import HTTPServer
import Observability
import Processing
import TLS

/// All that a service is started with, checked and without units.
package struct ServiceSettings: Sendable {
  package var stateDirectory: String
  /// The beginning of every link that devices get: `https://packs.example.com`.
  package var publicBaseURL: String
  package var clientListeners: [HTTPServer.Binding]
  package var adminListeners: [HTTPServer.Binding]
  package var clientCertificate: CertificateFiles
  package var adminCertificate: CertificateFiles
  /// More certificates of the client listener, for clients that ask for one of their names.
  package var moreClientCertificates: [CertificateFiles] = []
  /// Authorities of the admin listener's clients; nil asks for no client certificate.
  package var adminClientAuthority: String?
  /// Who makes the TLS 1.3 records that are sent.
  package var sealRecords = RecordSealing.auto
  /// Proxies in front of the client listener that are believed when they say for whom they connect.
  package var trustedProxies: [AddressRange] = []
  /// They say it in a PROXY header in front of TLS.
  package var proxyProtocol = false
  /// Whether `/metrics` needs no token.
  package var metricsAreOpen = false
  /// Who gets in to the admin API.
  package var authentication = AuthenticationRules()
  /// Where webhooks may go; nil until their authorities are read.
  package var webhooks = WebhookSettings()
  /// Event loops; 0 means one for each core.
  package var loops = 0
  /// How many event loops there are.
  var loopCount: Int { loops > 0 ? loops : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
  /// Threads for work that may block.
  package var workers = 4
  package var limits = ServerLimits()
  /// Connections of the admin listener.
  package var adminConnections = 512
  /// Jobs that may wait for a worker.
  package var workerQueue = 4096
  /// Bytes of the state folder's file system that uploads leave alone; 0 for none.
  package var freeSpace: Int64 = 0
  /// Bytes of the access log that may wait for the disk.
  package var logBuffer = 4 << 20
  /// Bytes of a JSON request to the admin API.
  package var adminBodyLimit = 1 << 20
  /// Bytes of the longest pack.
  package var packSizeLimit: Int64 = 8 << 30
  /// Bytes of a part of an upload.
  package var partSize: Int64 = 16 << 20
  package var processing = ProcessingSettings()
  /// What each app may store that has no quota of its own.
  package var quota = Quota.preset
  /// Bytes of all apps together; nil when only the disk limits it.
  package var serverQuota: Int64?
  package var retention = Retention()
  /// How long things may sit in a state before someone is told.
  package var deadlines = Deadlines()
  /// Seconds between two looks for what does.
  package var deadlineInterval: Int64 = 60
  package var development: SnapshotBuilder.Development?
  /// Seconds that transfers get to finish when the service stops.
  package var drainGrace: Int64 = 30
  package var logLevel = Log.Level.info
  /// Where finished requests are told; nil for nowhere.
  package var accessLog: AccessLog.Destination?

  /// The files of the listeners' TLS, the client listener's first.
  var listenerFiles: [ListenerFiles] {
    [
      ListenerFiles(name: "client", pairs: [clientCertificate] + moreClientCertificates),
      ListenerFiles(name: "admin", pairs: [adminCertificate], clientAuthority: adminClientAuthority),
    ]
  }

  package init(
    stateDirectory: String, publicBaseURL: String, clientListeners: [HTTPServer.Binding],
    adminListeners: [HTTPServer.Binding], clientCertificate: CertificateFiles, adminCertificate: CertificateFiles
  ) {
    self.stateDirectory = stateDirectory
    self.publicBaseURL = publicBaseURL
    self.clientListeners = clientListeners
    self.adminListeners = adminListeners
    self.clientCertificate = clientCertificate
    self.adminCertificate = adminCertificate
  }
}

/// How much the processor may use for one archive.
package struct ProcessingSettings: Sendable, Equatable {
  /// Entries of an archive.
  package var entries = 100_000
  /// Bytes that an archive may unpack to.
  package var decodedBytes: Int64 = 32 << 30
  /// Bytes of a compressed block.
  package var blockSize = 64 << 20
  /// Seconds for one archive.
  package var time: Int64 = 1800

  package init() {}

  var limits: ProcessingLimits {
    var archive = ArchiveLimits()
    archive.entries = entries
    archive.decodedBytes = decodedBytes
    archive.blockSize = blockSize
    return ProcessingLimits(archive: archive, seconds: time)
  }
}
