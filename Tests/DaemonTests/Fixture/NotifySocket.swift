import Glibc

/// The end of systemd that sd_notify(3) talks to.
final class NotifySocket {
  let path: String
  let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw Failure("bind \(path): \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// The assignments of the next message.
  func next(within seconds: Int32 = 60) throws -> [String] {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, seconds * 1000) > 0 else { throw Failure("no notification within \(seconds) s") }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer[0..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Waits for `assignment`; what comes before it is returned too.
  @discardableResult
  func wait(for assignment: String) throws -> [[String]] {
    var messages: [[String]] = []
    while true {
      messages.append(try next())
      if messages.last?.contains(assignment) == true { return messages }
    }
  }
}
