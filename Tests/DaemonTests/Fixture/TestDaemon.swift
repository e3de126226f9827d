import AssetPacks
import Foundation
import PackStore
import SystemIO
import TLS
import TestSupport

/// The real program, serving from a state folder of its own. It can be stopped, killed and started again on the same
/// state; whatever happens, it ends together with this object.
final class TestDaemon {
  static let app = "com.example.game"

  let folder: TemporaryFolder
  let port: UInt16
  let adminPort: UInt16
  let notifications: NotifySocket
  /// A folder that must not go away before the daemon.
  var kept: TemporaryFolder?
  private(set) var process: ChildProcess
  private(set) var trust: ClientTLS
  private(set) var token: String
  /// The certificate that clients must trust.
  private(set) var authorityPEM: [UInt8]
  private let words: [String]
  private let environment: [String: String]

  var state: String { folder.file("state") }
  var clientBase: String { "https://localhost:\(port)" }
  var adminBase: String { "https://127.0.0.1:\(adminPort)" }
  var manifestPath: String { "/apps/\(Self.app)/production/manifest.json" }

  private init(
    _ folder: TemporaryFolder, words: [String], port: UInt16, adminPort: UInt16, environment: [String: String],
    trust: (ChildProcess) throws -> (authority: [UInt8], token: String)
  ) throws {
    self.folder = folder
    self.words = words
    self.port = port
    self.adminPort = adminPort
    notifications = try NotifySocket(folder.file("notify"))
    self.environment = environment.merging(["NOTIFY_SOCKET": folder.file("notify")]) { $1 }
    process = try ChildProcess(
      ChildProcess.packhouse, words, environment: self.environment, errorPath: folder.file("errors"))
    try Self.waitUntilReady(process, notifications)
    (authorityPEM, token) = try trust(process)
    self.trust = try ClientTLS(trust: .only(PEMText(file: "authority", bytes: authorityPEM)))
  }

  /// `packhouse dev` with packs given as files.
  static func development(_ inputs: [String], folder: TemporaryFolder, options: [String] = []) throws -> TestDaemon {
    let port = try Ports.take()
    let adminPort = try Ports.take()
    let words =
      [
        "dev", "--state", folder.file("state"), "--listen", "localhost:\(port)", "--admin", "127.0.0.1:\(adminPort)",
        "--app", app, "--json",
      ] + options + inputs
    return try TestDaemon(folder, words: words, port: port, adminPort: adminPort, environment: [:]) { process in
      let line = try ReadyLine(process)
      return (try readFile(line.authority, limit: 1 << 20), line.token)
    }
  }

  /// `packhouse serve` with small upload parts and no app yet. `settings` are more members of the configuration, and
  /// `listeners` returns more members of each listener, after it has written what they name into the folder. `names`
  /// stand in the certificate, and `state` is what it begins with.
  static func service(
    partSize: String = "64 KiB", limits: String = "", settings: String = "", environment: [String: String] = [:],
    authority: TestAuthority? = nil, publicBaseURL: String? = nil, names: [String] = ["localhost", "127.0.0.1"],
    state: KeptState? = nil,
    listeners: (TemporaryFolder, TestAuthority) throws -> (client: String, admin: String) = { _, _ in ("", "") }
  ) throws -> TestDaemon {
    let folder = try TemporaryFolder()
    let port = try Ports.take()
    let adminPort = try Ports.take()
    let authority = try authority ?? TestAuthority()
    try authority.issue(into: folder, names: names)
    try state?.copy(to: folder.file("state"))
    let more = try listeners(folder, authority)
    try folder.write(
      "packhouse.json",
      configuration(
        folder, port, adminPort, publicBaseURL: publicBaseURL, partSize: partSize, limits: limits, settings: settings,
        client: more.client, admin: more.admin))
    let words = ["serve", "--config", folder.file("packhouse.json")]
    return try TestDaemon(folder, words: words, port: port, adminPort: adminPort, environment: environment) { _ in
      (authority.authority.certificatePEM, try makeToken(.admin, state: folder.file("state")))
    }
  }

  static func configuration(
    _ folder: TemporaryFolder, _ port: UInt16, _ adminPort: UInt16, publicBaseURL: String? = nil,
    partSize: String = "64 KiB", limits: String = "", settings: String = "", client: String = "", admin: String = ""
  ) -> String {
    """
    {
      stateDirectory: "\(folder.file("state"))",
      publicBaseURL: "\(publicBaseURL ?? "https://localhost:\(port)")",
      listeners: {
        client: {
          addresses: ["127.0.0.1:\(port)"],
          certificate: "\(folder.file("leaf.pem"))", privateKey: "\(folder.file("leaf.key"))",
          \(client)
        },
        admin: { addresses: ["127.0.0.1:\(adminPort)"], \(admin) },
      },
      limits: { partSize: "\(partSize)", \(limits) },
      developmentOverride: { app: "\(app)", track: "production" },
      \(settings)
    }
    """
  }

  /// A token made the way that the command line makes one, beside the running daemon.
  static func makeToken(_ role: Role, state: String, app: String? = nil) throws -> String {
    var options = StoreOptions(folder: state, publicBaseURL: "https://localhost")
    options.takesLock = false
    return try PackStore(options).createToken(name: role.rawValue, role: role, app: app, actor: Actor(name: "test"))
      .secret
  }

  private static func waitUntilReady(_ process: ChildProcess, _ notifications: NotifySocket) throws {
    while true {
      var polls = [
        pollfd(fd: notifications.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: process.outputDescriptor, events: 0, revents: 0),
      ]
      guard poll(&polls, 2, 60_000) > 0 else { throw Failure("the daemon is not ready after 60 s: \(process.errors)") }
      if polls[0].revents != 0 {
        if try notifications.next().contains("READY=1") { return }
      } else if polls[1].revents != 0 {
        throw Failure("the daemon ended (\(try process.finish())): \(process.errors)")
      }
    }
  }

  /// Ends it in order; throws when it ends in any other way.
  func stop() throws {
    process.send(SIGTERM)
    let exit = try process.finish()
    guard exit == .code(0) else { throw Failure("SIGTERM ended it with \(exit): \(process.errors)") }
  }

  /// Ends it at once.
  func kill() throws {
    process.send(SIGKILL)
    try process.finish()
  }

  /// Starts it again on the same state, with the same arguments.
  func start() throws {
    while let message = try? notifications.next(within: 0), !message.isEmpty {}
    process = try ChildProcess(
      ChildProcess.packhouse, words, environment: environment, errorPath: folder.file("errors"))
    try Self.waitUntilReady(process, notifications)
  }

  func client() -> WebClient { WebClient(clientBase, trust) }
  func admin() -> AdminClient { AdminClient(WebClient(adminBase, trust), token: token) }
  func raw(
    host: String = "localhost", receiveBuffer: Int32? = nil, from source: String? = nil
  ) throws -> RawConnection {
    try RawConnection(port: port, trust: trust, host: host, receiveBuffer: receiveBuffer, from: source)
  }

  /// Looks at the metrics until they show what is waited for.
  func metrics(_ what: String, until isThere: (PrometheusText) -> Bool) throws -> PrometheusText {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let text = try PrometheusText(try admin().get("/metrics").expect(200).body)
      if isThere(text) { return text }
      guard ContinuousClock.now < deadline else { throw Failure("the metrics do not show \(what) within 60 s") }
      usleep(50_000)
    }
  }

  /// Waits for a line in its log.
  func waitForLog(_ text: String) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !process.errors.contains(text) {
      guard ContinuousClock.now < deadline else { throw Failure("no “\(text)” within 60 s in \(process.errors)") }
      usleep(50_000)
    }
  }
}

/// What `packhouse dev --json` prints when it is ready.
struct ReadyLine {
  let manifestURL: String
  let overrideURL: String
  let adminURL: String
  let token: String
  let authority: String
  let pid: Int

  init(_ process: ChildProcess) throws {
    guard let line = try process.line(),
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      object["ready"] as? Bool == true
    else { throw Failure("no ready line: \(process.errors)") }
    manifestURL = object["manifestURL"] as? String ?? ""
    overrideURL = object["overrideURL"] as? String ?? ""
    adminURL = object["adminURL"] as? String ?? ""
    token = object["adminToken"] as? String ?? ""
    authority = object["caCertificate"] as? String ?? ""
    pid = object["pid"] as? Int ?? 0
  }
}

/// A certificate authority of a test.
struct TestAuthority {
  let authority: CertificateAuthority

  /// `age` is how many seconds ago it was made.
  init(age: Int64 = 0) throws {
    authority = try CertificateAuthority.makeDevelopment(now: WallClock.system.now() - age)
  }

  var trust: ClientTLS {
    get throws { try ClientTLS(trust: .only(PEMText(file: "authority", bytes: authority.certificatePEM))) }
  }

  /// Writes a new certificate and its key where the configuration of a test expects them.
  func issue(
    into folder: TemporaryFolder, names: [String] = ["localhost", "127.0.0.1"], as name: String = "leaf",
    days: Int = 30, validUntil end: Int64? = nil
  ) throws {
    let now = WallClock.system.now()
    // A leaf is made for whole days from an hour before its making.
    let made = end.map { $0 + 3601 - Int64(days) * 86_400 } ?? now
    let leaf = try authority.issueLeaf(names: names, days: days, now: made)
    try folder.write("\(name).pem", leaf.certificatePEM)
    try folder.write("\(name).key", leaf.keyPEM)
  }
}
