import Foundation
import TLS

@testable import HTTPClient

/// The Python server as a process of its own, with a certificate from an authority made for it.
final class TLSServer {
  let folder: URL
  let port: Int
  let authority: CertificateAuthority
  private let process = Process()

  /// - Parameter issued: when the certificate was made, in seconds from now; it is good for a day.
  init(script: String, issued: Int64 = 0) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("packhouse-http-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let now = Int64(Date().timeIntervalSince1970)
    authority = try CertificateAuthority.makeDevelopment(now: now + min(0, issued))
    let leaf = try authority.issueLeaf(names: [], days: 1, now: now + issued)
    for (name, bytes) in [
      ("cert.pem", leaf.certificatePEM), ("key.pem", leaf.keyPEM), ("server.py", Array(script.utf8)),
    ] { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "server.py", "cert.pem", "key.pem"]
    process.currentDirectoryURL = folder
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { break }
      line += String(decoding: data, as: UTF8.self)
    }
    port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  deinit {
    // The child inherits a signal mask that may hold SIGTERM back.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  func url(_ path: String, host: String = "localhost") throws -> HTTPSURL {
    try HTTPSURL("https://\(host):\(port)\(path)")
  }
}
