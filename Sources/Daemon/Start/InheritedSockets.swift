import CLinux
import EventLoop
import Glibc
import HTTPServer
import SystemIO

/// Sockets that systemd listens on already and hands over: `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`
/// (sd_listen_fds(3)). A listener that has some binds none of the addresses in its configuration.
package struct InheritedSockets: Sendable {
  /// For the client listener: those whose name is `client`.
  package var client: [ListeningSocketBox] = []
  /// For the admin listener: those whose name is `admin`.
  package var admin: [ListeningSocketBox] = []

  package init() {}

  /// systemd hands over descriptors from this number on.
  private static let first: Int32 = 3

  /// Takes what was handed to this process; call it once, before a descriptor is opened.
  ///
  /// Throws a sentence about a name that is not known, or a descriptor that does not listen for TCP.
  static func take() throws(DaemonFailure) -> InheritedSockets {
    var sockets = InheritedSockets()
    guard let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), count > 0, count <= 256,
      variable("LISTEN_PID") == String(getpid())
    else { return sockets }
    let names = variable("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    for index in 0..<count {
      let name = names.flatMap { Int(index) < $0.count ? $0[Int(index)] : nil } ?? ""
      let box = try adopt(first + index, name)
      switch name {
      case "client": sockets.client.append(box)
      case "admin": sockets.admin.append(box)
      default:
        throw failure(
          "The socket \(box.socketAddress) that systemd hands over has the name \"\(name)\"; "
            + "expected FileDescriptorName=client or FileDescriptorName=admin in its socket unit.")
      }
    }
    return sockets
  }

  private static func adopt(_ raw: Int32, _ name: String) throws(DaemonFailure) -> ListeningSocketBox {
    var listens: Int32 = 0
    var size = socklen_t(4)
    guard getsockopt(raw, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
      throw failure(
        "The descriptor \(raw) (\"\(name)\") that systemd hands over does not listen; expected ListenStream= and "
          + "Accept=no in its socket unit.")
    }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    do throws(SystemFailure) {
      return ListeningSocketBox(inherited: try ListeningSocket(listening: FileDescriptor(owning: raw)))
    } catch {
      throw failure("The descriptor \(raw) (\"\(name)\") that systemd hands over cannot be used: \(error).")
    }
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func failure(_ sentence: String) -> DaemonFailure {
    DaemonFailure(sentence, exitCode: DaemonFailure.ExitCode.configuration)
  }
}
