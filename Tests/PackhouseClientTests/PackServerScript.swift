/// A TLS server in Python's standard library that serves one body of 300,000 bytes with ranges, and breaks off where
/// the
/// path says so.
let packServerScript = #"""
  import http.server, json, ssl, sys, threading

  BODY = bytes((i * 31 >> 3) & 255 for i in range(300000))
  seen, lock = {}, threading.Lock()

  class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"
      def log_message(self, *arguments):
          pass
      def do_GET(self):
          path, span, condition = self.path, self.headers.get("Range"), self.headers.get("If-Range")
          with lock:
              seen[path] = seen.get(path, 0) + 1
              turn = seen[path]
          tag = f'"v{turn}"' if path.startswith("/changing") else '"v1"'
          if path == "/manifest":
              return self.whole(MANIFEST, None)
          if path == "/busy" and turn < 3:
              return self.send_error(503)
          if path == "/gone":
              return self.send_error(404)
          cut = path.startswith(("/cut", "/changing")) and turn == 1
          if path == "/wrong-range" and span:
              return self.part(0, tag, False)
          if span and condition == tag:
              return self.part(int(span[6:-1]), tag, cut)
          self.whole(BODY + (b"x" if path == "/long" else b""), tag, cut)
      def whole(self, body, tag, cut=False):
          self.send_response(200)
          self.send_header("Content-Length", str(len(body)))
          if tag:
              self.send_header("ETag", tag)
          self.end_headers()
          self.wfile.write(body[:100000] if cut else body)
          self.close_connection = cut
      def part(self, start, tag, cut):
          self.send_response(206)
          self.send_header("Content-Length", str(len(BODY) - start))
          self.send_header("Content-Range", f"bytes {start}-{len(BODY) - 1}/{len(BODY)}")
          self.send_header("ETag", tag)
          self.end_headers()
          self.wfile.write(BODY[start:])

  context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
  context.load_cert_chain(sys.argv[1], sys.argv[2])
  server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
  server.socket = context.wrap_socket(server.socket, server_side=True)
  port = server.server_address[1]
  MANIFEST = json.dumps({"assetPacks": [{
      "id": "terrain", "version": 3, "downloadSize": len(BODY), "url": f"https://localhost:{port}/pack",
      "downloadPolicy": {"onDemand": {}}, "host": {"thirdParty": {}},
  }]}).encode()
  print(port, flush=True)
  server.serve_forever()
  """#
