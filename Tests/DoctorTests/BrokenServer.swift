import Foundation
import TLS

/// A server with faults, over real TLS: a Python program with a certificate from an authority made for it.
final class BrokenServer {
  /// Paths and what they do: `manifest` is made of the packs below it.
  private static let script = """
    import http.server, json, ssl, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *arguments): pass
        def send(self, status, fields, body=b""):
            self.send_response(status)
            if status == 200 and "Content-Length" not in fields and "Chunked" not in fields:
                fields["Content-Length"] = str(len(body))
            for name, value in fields.items():
                if name != "Chunked": self.send_header(name, value)
            if status != 200: self.send_header("Content-Length", "0")
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command == "GET" and status in (200, 206): self.wfile.write(body)
            self.close_connection = True
        def answer(self):
            port = self.server.server_address[1]
            base = f"https://localhost:{port}"
            path, _, query = self.path.partition("?")
            if path == "/moved": return self.send(302, {"Location": base + "/manifest.json"})
            if path == "/strict" and query: return self.send(400, {})
            if path in ("/manifest.json", "/strict"):
                packs = [{"id": name, "url": f"{base}/{name}", "version": 1, "downloadSize": 10,
                          "downloadPolicy": {"onDemand": {}}, "host": {"thirdParty": {}}}
                         for name in ("good", "short", "whole", "gone", "elsewhere", "mixed")]
                return self.send(200, {"Content-Type": "application/json", "ETag": "\\"m\\"",
                                       "Cache-Control": "no-cache"}, json.dumps({"assetPacks": packs}).encode())
            body, tag = b"0123456789", {"ETag": "\\"p\\""}
            if path == "/short": return self.send(200, dict(tag), b"01234")
            if path == "/whole": return self.send(200, dict(tag), body * 1)
            if path == "/elsewhere": return self.send(302, {"Location": f"https://127.0.0.1:{port}/good"})
            if path in ("/good", "/mixed"):
                current = path == "/mixed" or self.headers.get("If-Range", tag["ETag"]) == tag["ETag"]
                if self.headers.get("Range") and current:
                    self.send_response(206)
                    self.send_header("Content-Range", "bytes 0-0/10")
                    self.send_header("Content-Length", "1")
                    self.end_headers()
                    self.wfile.write(body[:1])
                    return
                return self.send(200, dict(tag), body)
            self.send(404, {})
        do_GET = do_HEAD = answer
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  let authority: PEMText
  let base: String
  private let folder: URL
  private let process = Process()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("packhouse-doctor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let now = Int64(Date().timeIntervalSince1970)
    let made = try CertificateAuthority.makeDevelopment(now: now)
    let leaf = try made.issueLeaf(names: [], now: now)
    authority = PEMText(file: "ca.pem", bytes: made.certificatePEM)
    for (name, bytes) in [
      ("cert.pem", leaf.certificatePEM), ("key.pem", leaf.keyPEM), ("server.py", Array(Self.script.utf8)),
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
    base = "https://localhost:\(line.trimmingCharacters(in: .whitespacesAndNewlines))"
  }

  deinit {
    // The child inherits a signal mask that may hold SIGTERM back.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }
}
