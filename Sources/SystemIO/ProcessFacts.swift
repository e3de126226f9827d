import CLinux
import Glibc

/// What the kernel says about this process (proc(5)). Nil where `/proc` is missing.
package enum ProcessFacts {
  /// Bytes of memory that are in use now.
  package static var residentBytes: Int? {
    let pages = fields("/proc/self/statm").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }

  /// Open descriptors, without the one that is needed to count them.
  package static var openDescriptors: Int? { (try? Folder.names("/proc/self/fd")).map { $0.count - 1 } }

  /// Descriptors that may be open at once; nil also when there is no limit.
  package static var descriptorLimit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  /// Seconds of processor time of all threads, in user and kernel mode.
  package static var processorSeconds: Double? {
    var usage = rusage()
    guard getrusage(__rusage_who_t(0), &usage) == 0 else { return nil }
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    return Double(seconds) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  /// When the process was started, in seconds since 1970.
  package static var startTime: Double? {
    // The second field is the program's name, which may hold spaces and parentheses.
    guard let text = text("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let rest = text[text.index(after: end)...].split(separator: " ")
    guard rest.count > 19, let ticks = Double(rest[19]) else { return nil }
    let boot = (lines("/proc/stat").first { $0.hasPrefix("btime ") }).flatMap { Double($0.dropFirst(6)) }
    return boot.map { $0 + ticks / Double(sysconf(Int32(_SC_CLK_TCK))) }
  }

  private static func fields(_ path: String) -> [Substring] {
    text(path)?.split(whereSeparator: { $0 == " " || $0 == "\n" }) ?? []
  }

  private static func lines(_ path: String) -> [Substring] { text(path)?.split(separator: "\n") ?? [] }

  private static func text(_ path: String) -> String? {
    guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    var count = 0
    // Files of /proc have no length: they are read until they end.
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes {
        Glibc.read(file.raw, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      guard read > 0 else { break }
      count += read
    }
    return String(decoding: bytes[0..<count], as: UTF8.self)
  }
}
