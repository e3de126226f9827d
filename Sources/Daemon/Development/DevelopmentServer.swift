import AssetPacks
import Glibc
import HTTPServer
import JSONText
import PackStore
import Packing
import SystemIO

/// A server that needs nothing set up: it makes certificates, packs and releases what it is given, and serves.
package struct DevelopmentServer {
  private let options: DevelopmentOptions

  package init(_ options: DevelopmentOptions) { self.options = options }

  /// Serves until SIGTERM or SIGINT.
  package func run() throws(DaemonFailure) {
    try DevelopmentPublishing.checkInputs(options)
    let runner = try ServiceRunner()
    let files = try DevelopmentFiles(options.stateDirectory)
    var memory = files.loadMemory()
    let listen = try DevelopmentFiles.settle(options.listen, last: memory.clientPort)
    let admin = try DevelopmentFiles.settle(options.admin, last: memory.adminPort, taken: listen.port)
    let host = Self.clientHost(listen.host)
    let names = ["localhost", "127.0.0.1", "::1"] + (["localhost", "127.0.0.1", "::1"].contains(host) ? [] : [host])
    try files.prepareCertificates(names: names, now: WallClock.system.now())

    var settings = ServiceSettings(
      stateDirectory: options.stateDirectory, publicBaseURL: Self.url(host, listen.port), clientListeners: [listen],
      adminListeners: [admin], clientCertificate: files.certificate, adminCertificate: files.certificate)
    settings.development = .init(bundleID: options.app, track: .production)
    settings.drainGrace = 2
    // A person watches the terminal: what went well is told by the lines below.
    settings.logLevel = .warning
    let service = try Service(settings)
    memory.clientPort = listen.port
    memory.adminPort = admin.port
    do throws(DaemonFailure) {
      memory.token = try token(service.store, last: memory.token)
      try files.save(memory)
      try DevelopmentPublishing(service: service, options: options, allowedHosts: names).publish()
      announce(memory, files, service, host: host)
    } catch {
      service.stop()
      throw error
    }
    runner.run(
      service.running { service.reloadCertificates(service.settings) })
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

  private func announce(_ memory: DevelopmentFiles.Memory, _ files: DevelopmentFiles, _ service: Service, host: String)
  {
    let base = Self.url(host, memory.clientPort ?? 0)
    let manifestURL = service.store.manifestURL(bundleID: options.app, track: .production)
    let adminURL = Self.url(Self.clientHost(service.settings.adminListeners[0].host), memory.adminPort ?? 0)
    let authority = realPath(files.authorityPath)
    if options.printsJSON {
      let line: JSONValue = [
        "ready": true, "manifestURL": .string(manifestURL), "overrideURL": .string(base), "adminURL": .string(adminURL),
        "adminToken": .optional(memory.token), "caCertificate": .string(authority), "pid": .integer(getpid()),
      ]
      return write(line.text() + "\n")
    }
    write(
      """
      Packhouse serves \(options.app).

        Manifest URL    \(manifestURL)
        Override URL    \(base)   (Settings › Developer › Background Assets on a device)
        CA certificate  \(authority)   (clients must trust it)
        Admin API       \(adminURL)
        Admin token     \(memory.token ?? "")

        curl --cacert \(quoted(shell: authority)) \(manifestURL)

      Ctrl-C stops it; started again it serves the same bytes at the same URLs.

      """)
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
  }

  private func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func quoted(shell text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain
      ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
