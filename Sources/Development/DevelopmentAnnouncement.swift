import Glibc
import JSONText
import QRCode
import Values

/// What a development server prints when it is ready.
struct DevelopmentAnnouncement {
  let options: DevelopmentOptions
  let memory: DevelopmentFiles.Memory
  let reach: DevelopmentReach
  let manifestURL: String
  let baseURL: String
  let adminURL: String
  let authorityPath: String

  func write() {
    let authority = realPath(authorityPath)
    if options.printsJSON {
      let line: JSONValue = [
        "ready": true, "manifestURL": .string(manifestURL), "overrideURL": .string(baseURL),
        "pageURL": .string("\(baseURL)/"), "adminURL": .string(adminURL), "adminToken": .optional(memory.token),
        "caCertificate": .string(authority), "hosts": .array(reach.names.map { .string($0) }),
        "pid": .integer(getpid()),
      ]
      return Self.write(line.text() + "\n")
    }
    Self.write(
      """
      Packhouse serves \(options.app).

        Manifest URL    \(manifestURL)
        Override URL    \(baseURL)   (Settings › Developer › Background Assets on a device)
        First steps     \(baseURL)/   (open it on the device: trust, QR code, request log)
        CA certificate  \(authority)   (clients must trust it)
        Admin API       \(adminURL)
        Admin token     \(memory.token ?? "")

        curl --cacert \(quoted(shell: authority)) \(manifestURL)

      \(reachSentence)
      \(options.watches ? "Packs are rebuilt when their files change. " : "")\
      Ctrl-C stops it; the next start serves the same bytes at the same URLs.

      """)
    if !reach.isLoopbackOnly, isatty(STDOUT_FILENO) == 1, let code = QRCode("\(baseURL)/") {
      Self.write("\n\(code.terminalText)\n")
    }
  }

  private var reachSentence: String {
    reach.isLoopbackOnly
      ? "Only this machine can connect; --listen 0.0.0.0:8443 opens it to the local network."
      : "Any device on the local network can connect, under \(reach.names.dropFirst(3).joined(separator: ", "))."
  }

  /// A line for the person, while the server runs.
  static let tell: @Sendable (String) -> Void = { text in
    let bytes = Array("\(text)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
  }

  private func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func quoted(shell text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain
      ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
