import AdminAPI
import AssetPacks
import Configuration
import Delivery
import EventLoop
import Glibc
import HTTPServer
import Observability

/// All that a service is started with, checked and without units.
///
/// Properties that a row of ``SettingsTable`` names get their value from the file, or the default that stands in the
/// row: the values below are only there until then.
package struct ServiceSettings: Sendable {
  package var stateDirectory = ""
  /// The beginning of every link that devices get: `https://packs.example.com`.
  package var publicBaseURL = ""
  package var clientListeners: [HTTPServer.Binding] = []
  package var adminListeners: [HTTPServer.Binding] = []
  package var clientCertificate = CertificateFiles(certificate: "", privateKey: "")
  /// More certificates of the client listener, for clients that ask for one of their names.
  package var moreClientCertificates: [CertificateFiles] = []
  /// Paths of the admin listener's own chain and key; nil takes the client listener's.
  package var adminCertificateFile: String?
  package var adminPrivateKeyFile: String?
  /// Authorities of the admin listener's clients; nil asks for no client certificate.
  package var adminClientAuthority: String?
  /// Proxies in front of the client listener that are believed when they say for whom they connect.
  package var trustedProxies: [AddressRange] = []
  /// They say it in a PROXY header in front of TLS.
  package var proxyProtocol = false
  package var sealRecords = RecordSealing.off
  /// Whether `/metrics` needs no token.
  package var metricsAreOpen = false
  /// Who gets in to the admin API.
  package var authentication = AuthenticationRules()
  /// Where webhooks may go.
  package var webhooks = WebhookSettings()
  /// Event loops; 0 means one for each core.
  package var loops = 0
  /// Threads for work that may block.
  package var workers = 0
  package var limits = ServerLimits()
  /// Connections of the admin listener.
  package var adminConnections = 0
  /// Jobs that may wait for a worker.
  package var workerQueue = 0
  /// Bytes of the state folder's file system that uploads leave alone; 0 for none.
  package var freeSpace: Int64 = 0
  /// Bytes of the access log that may wait for the disk.
  package var logBuffer = 0
  /// Bytes of a JSON request to the admin API.
  package var adminBodyLimit = 0
  /// Bytes of the longest pack.
  package var packSizeLimit: Int64 = 0
  /// Bytes of a part of an upload.
  package var partSize: Int64 = 0
  package var processing = ProcessingSettings()
  /// What each app may store that has no quota of its own.
  package var quota = QuotaSettings()
  /// Bytes of all apps together; nil when only the disk limits it.
  package var serverQuota: Int64?
  package var retention = Retention()
  /// How long things may sit in a state before someone is told.
  package var deadlines = Deadlines()
  /// Seconds between two looks for what does.
  package var deadlineInterval: Int64 = 0
  /// The bundle ID and track whose manifest devices with a development override get; nil for no app.
  package var developmentApp: String?
  package var developmentTrack = Track.internal
  /// Seconds that transfers get to finish when the service stops.
  package var drainGrace: Int64 = 0
  package var logLevel = Log.Level.info
  /// Where a line for each request goes; nil for nowhere.
  package var accessLog: AccessLog.Destination?

  /// Nothing set: for the table, which writes the defaults.
  init() {}

  /// The defaults of the configuration, with what has none.
  package init(
    stateDirectory: String, publicBaseURL: String, clientListeners: [HTTPServer.Binding],
    adminListeners: [HTTPServer.Binding], certificate: CertificateFiles
  ) {
    SettingsTable.all.writeDefaults(to: &self)
    self.stateDirectory = stateDirectory
    self.publicBaseURL = publicBaseURL
    self.clientListeners = clientListeners
    self.adminListeners = adminListeners
    clientCertificate = certificate
  }

  /// Reads the text of a configuration file. `file` is its name for messages.
  package init(configuration bytes: [UInt8], file: String) throws(ConfigurationFailure) {
    self = try SettingsTable.all.parse(bytes, fileName: file, into: ServiceSettings())
  }

  /// How many event loops there are.
  var loopCount: Int { loops > 0 ? loops : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  package var adminCertificate: CertificateFiles {
    guard let adminCertificateFile, let adminPrivateKeyFile else { return clientCertificate }
    return CertificateFiles(certificate: adminCertificateFile, privateKey: adminPrivateKeyFile)
  }

  package var development: SnapshotBuilder.Development? {
    developmentApp.map { SnapshotBuilder.Development(bundleID: $0, track: developmentTrack) }
  }

  /// The files of the listeners' TLS, the client listener's first.
  var listenerFiles: [ListenerFiles] {
    [
      ListenerFiles(name: "client", pairs: [clientCertificate] + moreClientCertificates),
      ListenerFiles(name: "admin", pairs: [adminCertificate], clientAuthority: adminClientAuthority),
    ]
  }
}
