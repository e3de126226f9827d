import CLinux
import Glibc
import SystemIO

/// The part of the access log that writes to the disk. Used only by the log's thread.
///
/// `@unchecked Sendable` is safe: it is made before that thread starts, and handed over to it.
final class AccessLogWriter: @unchecked Sendable {
  private let destination: AccessLog.Destination
  private let log: Log?
  private var raw: Int32
  /// The last write was incomplete.
  private(set) var isFailing = false
  /// The file ends in the middle of a line.
  private var endsInside = false
  private var lostSinceFailure = 0

  init(_ destination: AccessLog.Destination, log: Log?) throws(SystemFailure) {
    self.destination = destination
    self.log = log
    raw = try Self.open(destination).release()
  }

  deinit { close(raw) }

  /// Opens the file again by its name; the old one stays in use when that fails.
  func reopen() {
    do throws(SystemFailure) {
      let fresh = try Self.open(destination).release()
      close(raw)
      raw = fresh
      endsInside = false
    } catch {
      log?.error("The access log still goes to the old file: \(error.sentence)")
    }
  }

  /// Writes whole lines; returns how many are lost.
  func write(_ bytes: [UInt8]) -> Int {
    // A line cut short by a full disk must not swallow the next one.
    let whole = endsInside ? [0x0a] + bytes : bytes
    let (written, code) = writeAll(whole)
    if written > 0 { endsInside = whole[written - 1] != 0x0a }
    guard code != 0 else {
      if isFailing {
        isFailing = false
        log?.notice("The access log can be written again; \(lostSinceFailure) lines are lost.")
      }
      return 0
    }
    let lost = Self.lines(in: whole[written...])
    if !isFailing {
      isFailing = true
      lostSinceFailure = 0
      let failure = SystemFailure("write", subject, code: code)
      log?.error("Lines of the access log are lost; everything else works. \(failure.sentence)")
    }
    lostSinceFailure += lost
    return lost
  }

  /// How many lines end in `bytes`.
  static func lines(in bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 + ($1 == 0x0a ? 1 : 0) } }

  private var subject: String {
    switch destination {
    case .standardError: "standard error"
    case .file(let path): path
    }
  }

  private static func open(_ destination: AccessLog.Destination) throws(SystemFailure) -> FileDescriptor {
    switch destination {
    case .standardError:
      let raw = dup(STDERR_FILENO)
      guard raw >= 0 else { throw SystemFailure("dup", "standard error") }
      return FileDescriptor(owning: raw)
    case .file(let path):
      return try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o640)
    }
  }

  /// The bytes that the disk accepted, and why it accepted no more.
  private func writeAll(_ bytes: [UInt8]) -> (written: Int, code: Int32) {
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count, let start = bytes.baseAddress {
        let count = Glibc.write(raw, start + offset, bytes.count - offset)
        if count < 0 && errno != EINTR { return (offset, errno) }
        offset += max(0, count)
      }
      return (offset, 0)
    }
  }
}
