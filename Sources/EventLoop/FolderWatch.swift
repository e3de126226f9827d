import CLinux
import Glibc
import SystemIO

/// Notices changes in folders (inotify(7)). For one thread at a time.
package struct FolderWatch: ~Copyable {
  /// What happened since the last look, as the folders' paths and names.
  package struct Changes: Sendable, Equatable {
    /// Whether a name came, went or got other rights.
    package var isStructural = false
    /// Files whose bytes changed.
    package var written: Set<String> = []
    /// Files that were written to and are still open for it.
    package var open: Set<String> = []
  }

  /// The most folders that are watched.
  package static let limit = 4096

  private let queue: FileDescriptor
  private var folders: [String: Int32] = [:]
  /// The folders by watch; those that are not followed any more may still have events that wait.
  private var paths: [Int32: String] = [:]
  /// Files that are being written.
  private var writing: Set<String> = []

  /// Throws when the user has no watches left.
  package init() throws(SystemFailure) {
    let raw = packhouse_inotify()
    guard raw >= 0 else { throw SystemFailure("inotify_init1") }
    queue = FileDescriptor(owning: raw)
  }

  /// The number to add to a `Poller`.
  package var descriptor: Int32 { queue.raw }

  /// Watches exactly `wanted`; folders that are not there are left out.
  package mutating func follow(_ wanted: Set<String>) {
    for (path, watch) in folders where !wanted.contains(path) {
      _ = inotify_rm_watch(queue.raw, watch)
      folders[path] = nil
      paths[watch] = nil
    }
    for path in wanted.sorted() where folders[path] == nil && folders.count < Self.limit {
      let watch = packhouse_watch_folder(queue.raw, path)
      guard watch >= 0 else { continue }
      folders[path] = watch
      paths[watch] = path
    }
  }

  /// Takes up what happened since the last call. Does not wait.
  package mutating func take() -> Changes {
    var changes = Changes()
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(queue.raw, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      note(buffer[..<count], &changes)
    }
    changes.open = writing
    return changes
  }

  /// Forgets files whose end of writing was never told, after a wait that was long enough.
  package mutating func forgetOpenFiles() { writing = [] }

  /// Events are a watch, a mask, a cookie, a length and so many bytes of name.
  private mutating func note(_ bytes: ArraySlice<UInt8>, _ changes: inout Changes) {
    var offset = bytes.startIndex
    func number(_ at: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) } }
    while bytes.endIndex - offset >= 16 {
      let (watch, mask, length) = (number(offset), number(offset + 4), number(offset + 12))
      let start = offset + 16
      guard let count = Int(exactly: length), count <= bytes.endIndex - start else { return }
      let name = String(decoding: bytes[start..<(start + count)].prefix { $0 != 0 }, as: UTF8.self)
      let folder = paths[Int32(bitPattern: watch)] ?? ""
      let path = folder == "." ? name : "\(folder)/\(name)"
      if mask & packhouse_written_mask() != 0 {
        writing.insert(path)
        changes.written.insert(path)
      } else {
        if mask & packhouse_finished_mask() != 0 { writing.remove(path) }
        if mask & packhouse_closed_mask() != 0 { changes.written.insert(path) } else { changes.isStructural = true }
      }
      offset = start + count
    }
  }
}
