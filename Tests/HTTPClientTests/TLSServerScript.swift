/// A real TLS server in Python's standard library, with one behaviour for each path. It prints its port.
let tlsServerScript = #"""
  import hashlib, socket, ssl, sys, threading, time

  context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
  context.load_cert_chain(sys.argv[1], sys.argv[2])
  listener = socket.create_server(("127.0.0.1", 0))
  print(listener.getsockname()[1], flush=True)
  connections = 0

  def answer(conn, status, body, extra=""):
      conn.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{extra}\r\n".encode() + body)

  def goodbye(conn):
      try:
          conn.settimeout(2)
          conn.unwrap()
      except OSError:
          pass

  def serve(raw, number):
      try:
          conn = context.wrap_socket(raw, server_side=True)
      except (OSError, ssl.SSLError):
          return
      requests = 0
      stream = conn.makefile("rb")
      while True:
          line = stream.readline()
          if not line:
              return
          method, target, _ = line.decode().split()
          fields = {}
          while True:
              field = stream.readline().decode().strip()
              if not field:
                  break
              name, value = field.split(":", 1)
              fields[name.lower()] = value.strip()
          requests += 1
          if target == "/early":
              answer(conn, "413 Content Too Large", b"too large", "Connection: close\r\n")
              # A server lingers (RFC 9112 section 9.6): closing with input unread would reset the connection and may
              # take the answer away from the client.
              raw_fd = socket.socket(fileno=conn.detach())
              raw_fd.settimeout(5)
              while raw_fd.recv(65536):
                  pass
              return
          body_hash, left = hashlib.sha256(), int(fields.get("content-length", 0))
          while left > 0:
              piece = stream.read(min(left, 65536))
              if not piece:
                  return
              body_hash.update(piece)
              left -= len(piece)
          if target == "/connections":
              answer(conn, "200 OK", f"{number}.{requests}".encode())
          elif target == "/last":
              # Announces nothing and goes away: the next request finds a dead connection.
              answer(conn, "200 OK", str(number).encode())
              time.sleep(0.05)
              goodbye(conn)
              return
          elif target == "/digest":
              answer(conn, "200 OK", body_hash.hexdigest().encode())
          elif target == "/fields":
              answer(conn, "200 OK", "\n".join(f"{k}={v}" for k, v in sorted(fields.items())).encode())
          elif target == "/chunked":
              conn.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n")
              conn.sendall(b"7\r\n, world\r\n0\r\nTrailer: 1\r\n\r\n")
          elif target == "/chunked-cut":
              conn.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
              goodbye(conn)
              return
          elif target == "/chunked-bad":
              conn.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n")
          elif target == "/until-close":
              conn.sendall(b"HTTP/1.0 200 OK\r\n\r\nall of it")
              goodbye(conn)
              return
          elif target == "/until-close-cut":
              conn.sendall(b"HTTP/1.0 200 OK\r\n\r\nsome of it")
              conn.shutdown(socket.SHUT_RDWR)
              return
          elif target == "/truncated":
              conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
              goodbye(conn)
              return
          elif target == "/interim":
              conn.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
              answer(conn, "200 OK", b"final")
          elif target == "/garbage":
              conn.sendall(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
          elif target == "/two-lengths":
              conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")
          elif target == "/silent":
              time.sleep(5)
              return
          elif target == "/drip":
              conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
              try:
                  for _ in range(100000):
                      conn.sendall(b"x")
                      time.sleep(0.01)
              except OSError:
                  return
          elif target == "/redirect":
              answer(conn, "302 Found", b"elsewhere", "Location: /fields\r\n")
          elif target == "/loop":
              answer(conn, "302 Found", b"", "Location: /loop\r\n")
          elif target == "/redirect-plain":
              answer(conn, "302 Found", b"", "Location: http://127.0.0.1/\r\n")
          elif target.startswith("/bytes/"):
              count = int(target[7:])
              conn.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {count}\r\n\r\n".encode())
              piece = b"x" * 65536
              while count > 0:
                  conn.sendall(piece[:count])
                  count -= min(count, len(piece))
          elif method == "HEAD":
              conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
          else:
              answer(conn, "404 Not Found", b"nothing here")

  while True:
      raw, _ = listener.accept()
      connections += 1
      threading.Thread(target=serve, args=(raw, connections), daemon=True).start()
  """#
