import COpenSSL
import Glibc

/// The names of a listener's certificates, in memory that OpenSSL's callback can read. Immutable after `init`.
final class ServerNameTable {
  let table: UnsafeMutablePointer<packhouse_server_names>

  /// In the order of the certificates; the first match wins.
  init(_ names: [(name: String, context: OpaquePointer)]) {
    let entries = UnsafeMutablePointer<packhouse_server_name>.allocate(capacity: max(1, names.count))
    for (index, entry) in names.enumerated() {
      (entries + index).initialize(to: packhouse_server_name(name: strdup(entry.name), context: entry.context))
    }
    table = .allocate(capacity: 1)
    table.initialize(to: packhouse_server_names(entries: entries, count: names.count))
  }

  deinit {
    for index in 0..<table.pointee.count { free(UnsafeMutablePointer(mutating: table.pointee.entries[index].name)) }
    table.pointee.entries.deallocate()
    table.deallocate()
  }

  /// The context for a name that a client asks for; nil when no certificate has it.
  func context(for name: String) -> OpaquePointer? { packhouse_context_for(table, name) }
}
