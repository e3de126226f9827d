import CLinux
import Glibc
import HTTPServer
import SystemIO

/// How many descriptors the process may have, and how many clients fit into that.
struct OpenFileLimit {
  /// Descriptors that are kept free of clients: for uploads, new packs, the catalog's and the log's files.
  private static let reserve = 128

  /// Descriptors that may be open at once.
  let limit: Int

  /// Takes what the system allows: each connection and each pack in service costs a descriptor.
  static func raised() -> OpenFileLimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return OpenFileLimit(limit: Int.max) }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(7), &limit)
    return OpenFileLimit(limit: ProcessFacts.descriptorLimit ?? Int.max)
  }

  /// How many files of versions may stay open beside that many connections; at least a quarter of all.
  func packs(besides connections: Int) -> Int { max(limit / 4, limit - connections - Self.reserve) }

  /// What the listeners let in, and a sentence when that is less than the configuration wants.
  struct Admissions: Equatable {
    var client: ServerLoad.Admission
    var admin: ServerLoad.Admission
    var warning: String?
  }

  /// `open` is how many descriptors are in use before the first client comes.
  func admissions(
    connections: Int, perAddress: Int, adminConnections: Int, open: Int
  ) -> Admissions {
    let room = max(2, limit - open - Self.reserve)
    guard connections + adminConnections > room else {
      return Admissions(
        client: .init(connections: connections, connectionsPerAddress: perAddress),
        admin: .init(connections: adminConnections, connectionsPerAddress: adminConnections), warning: nil)
    }
    // The admin listener keeps a share of its own, because whoever puts things right comes in there.
    let admin = min(adminConnections, max(1, room / 8))
    let client = min(connections, max(1, room - admin))
    let wanted = connections + adminConnections + open + Self.reserve
    return Admissions(
      client: .init(connections: client, connectionsPerAddress: min(perAddress, client)),
      admin: .init(connections: admin, connectionsPerAddress: admin),
      warning: "limits.connections is \(connections) and limits.adminConnections \(adminConnections), but the process "
        + "may have \(limit) files open: only \(client) and \(admin) connections are let in. Raise the limit of open "
        + "files to \(wanted) (LimitNOFILE in the unit, ulimit -n in a shell), or lower limits.connections.")
  }
}
