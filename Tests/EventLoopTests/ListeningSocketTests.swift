import Glibc
import SystemIO
import Testing

@testable import EventLoop

@Suite struct ListeningSocketTests {
  @Test(arguments: ["127.0.0.1", "::1", "*"])
  func theKernelsPortIsTold(host: String) throws {
    let socket = try ListeningSocket(host: host, port: 0, sharesPort: false)
    #expect(socket.port > 0)
    #expect(socket.address.hasSuffix(":\(socket.port)"))
  }

  @Test func aPortInUseIsNamed() throws {
    let first = try ListeningSocket(host: "127.0.0.1", port: 0, sharesPort: false)
    let port = first.port
    let failure = #expect(throws: SystemFailure.self) {
      _ = try ListeningSocket(host: "127.0.0.1", port: port, sharesPort: false)
    }
    #expect(failure?.code == EADDRINUSE)
    #expect(failure?.subject == "127.0.0.1:\(port)")
    withExtendedLifetime(first.descriptor) {}
  }

  @Test func socketsOfOneProcessMayShareAPort() throws {
    let first = try ListeningSocket(host: "127.0.0.1", port: 0, sharesPort: true)
    let second = try ListeningSocket(host: "127.0.0.1", port: first.port, sharesPort: true)
    #expect(first.port == second.port)
  }

  @Test(arguments: ["localhost", "1.2.3", "300.1.1.1", "", "::g"])
  func onlyLiteralAddressesAreTaken(host: String) {
    #expect(throws: SystemFailure.self) { try InternetAddress(host: host, port: 1) }
  }
}
