import Glibc
import SystemIO
import TLS

/// Who can connect to a development server, and under which names.
struct DevelopmentReach: Sendable, Equatable {
  /// What stands in URLs: an address without brackets, or a name.
  let host: String
  /// Every name and address that clients may use; the certificate is for them, and the app allows them.
  let names: [String]
  /// Whether only this machine can connect.
  let isLoopbackOnly: Bool

  private static let loopback = ["localhost", "127.0.0.1", "::1"]

  /// - Parameters:
  ///   - listen: the listening address; `*`, `0.0.0.0` and `::` stand for all of a kind.
  ///   - addresses: those of this machine, the most useful first.
  ///   - hostName: this machine's name; nil or empty leaves it out.
  init(listen: String, addresses: [LocalAddresses.Entry], hostName: String?) {
    switch listen {
    case "*", "0.0.0.0", "::":
      let fitting = addresses.filter { $0.isIPv6 == (listen == "::") }.map(\.text)
      host = fitting.first ?? "localhost"
      isLoopbackOnly = false
      names = Self.loopback + fitting + Self.multicastName(hostName)
    default:
      host = listen
      isLoopbackOnly = listen.hasPrefix("127.") || Self.loopback.contains(listen)
      let more = isLoopbackOnly ? [] : Self.multicastName(hostName)
      names = Self.loopback + (Self.loopback.contains(listen) ? [] : [listen]) + more
    }
  }

  /// The name that multicast DNS gives this machine on the local network, when something answers for it.
  private static func multicastName(_ hostName: String?) -> [String] {
    let label = (hostName ?? "").lowercased().prefix { $0 != "." }
    let name = "\(label).local"
    return label.isEmpty || label == "localhost" || (try? SubjectName(name)) == nil || label.contains("_") ? [] : [name]
  }

  /// This machine as it is now.
  static func now(listen: String) -> DevelopmentReach {
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String? in
      buffer.initialize(repeating: 0)
      guard let start = buffer.baseAddress, gethostname(start, buffer.count - 1) == 0 else { return nil }
      return String(cString: start)
    }
    return DevelopmentReach(listen: listen, addresses: LocalAddresses.all(), hostName: name)
  }
}
