import Foundation
import Glibc
import TLS
import Testing
import TestSupport

/// Sockets that systemd hands over: they listen before the daemon does and while it is being restarted.
@Suite(.waits) struct SocketActivationTests {
  private struct Setup {
    let folder: TemporaryFolder
    let authority: TestAuthority
    let notify: NotifySocket
    let sockets: [Int32]
    let ports: [UInt16]

    init() throws {
      folder = try TemporaryFolder()
      authority = try TestAuthority()
      try authority.issue(into: folder)
      notify = try NotifySocket(folder.file("notify"))
      ports = [try Ports.take(), try Ports.take()]
      // The configuration names other ports, which must stay free.
      let others = (try Ports.take(), try Ports.take())
      try folder.write("packhouse.json", TestDaemon.configuration(folder, others.0, others.1))
      sockets = try ports.map { port in
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        var address = Ports.loopback(port)
        let code = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(raw, $0, 16) }
        }
        guard code == 0, listen(raw, 64) == 0 else { throw Failure("no socket to hand over") }
        return raw
      }
    }

    func start(names: String) throws -> ChildProcess {
      let command = "LISTEN_PID=$$; export LISTEN_PID; exec \(ChildProcess.packhouse) serve --config "
      return try ChildProcess(
        "/bin/sh", ["-c", command + folder.file("packhouse.json")],
        environment: [
          "NOTIFY_SOCKET": notify.path, "LISTEN_FDS": "\(sockets.count)", "LISTEN_FDNAMES": names,
        ], errorPath: folder.file("errors"), inherited: sockets)
    }
  }

  @Test func theyAreServedAndKeepClientsAcrossARestart() throws {
    let setup = try Setup()
    defer { for socket in setup.sockets { close(socket) } }
    let trust = try setup.authority.trust
    var process = try setup.start(names: "client:admin")
    try setup.notify.wait(for: "READY=1")
    for _ in 0..<20 {
      #expect(try WebClient("https://localhost:\(setup.ports[0])", trust).get("/").status == 421)
      #expect(try WebClient("https://localhost:\(setup.ports[1])", trust).get("/healthz").status == 200)
    }
    process.send(SIGTERM)
    #expect(try process.finish() == .code(0))
    // Nobody is there, and still nobody is turned away.
    let waiting = try PlainConnection(port: setup.ports[0])
    process = try setup.start(names: "client:admin")
    try setup.notify.wait(for: "READY=1")
    #expect(waiting.send(Array("no TLS".utf8)))
    #expect(waiting.ends())
    #expect(try WebClient("https://localhost:\(setup.ports[0])", trust).get("/").status == 421)
    process.send(SIGTERM)
    #expect(try process.finish() == .code(0))
  }

  @Test func aNameThatIsNotKnownIsRefused() throws {
    let setup = try Setup()
    defer { for socket in setup.sockets { close(socket) } }
    let process = try setup.start(names: "client:web")
    #expect(try process.finish() == .code(78))
    #expect(process.errors.contains("127.0.0.1:\(setup.ports[1])") && process.errors.contains("\"web\""))
    #expect(process.errors.contains("FileDescriptorName=admin"))
  }
}
