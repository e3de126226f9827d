import AppleArchive
import Glibc

/// Answers commands from standard input, one a line, so that a script can alternate between this codec and another one
/// in one run:
///
///     encode PATH BLOCK      seconds of processor time, payload bytes in all
///     decode                 seconds of processor time for the payloads of the last `encode`
///     pack PATH THREADS      seconds on the clock, archive bytes (0 threads: without any)
///     frame-encode COUNT     COUNT bytes follow; answers with the payload's length and its bytes
///     frame-decode COUNT RAW COUNT bytes of a payload follow; answers with the length (or -1) and the bytes
enum BenchCommands {
  static func run() {
    guard let input = fdopen(STDIN_FILENO, "rb") else { return }
    var codec = CodecBench()
    while let line = readLine(input) {
      let words = line.split(separator: " ").map { String($0) }
      switch (words.first, words.count) {
      case ("encode", 3): answer(codec.encode(path: words[1], blockSize: Int(words[2]) ?? 1 << 20))
      case ("decode", 1): answer(codec.decode())
      case ("pack", 3): answer(packSeconds(path: words[1], threads: Int(words[2]) ?? 0))
      case ("frame-encode", 2): answer(codec.encodeFrame(readBytes(input, Int(words[1]) ?? 0)))
      case ("frame-decode", 3):
        answer(codec.decodeFrame(readBytes(input, Int(words[1]) ?? 0), rawCount: Int(words[2]) ?? 0))
      default: answer("? \(line)")
      }
    }
  }

  private static func readLine(_ input: UnsafeMutablePointer<FILE>) -> String? {
    var bytes: [UInt8] = []
    while true {
      let byte = getc(input)
      if byte == EOF { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
  }

  private static func readBytes(_ input: UnsafeMutablePointer<FILE>, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(count, 1)) { buffer, used in
      used = fread(buffer.baseAddress, 1, count, input)
    }
  }

  private static func answer(_ text: String) { write(Array("\(text)\n".utf8)) }

  private static func answer(_ bytes: [UInt8]?) {
    answer("\(bytes?.count ?? -1)")
    if let bytes { write(bytes) }
  }

  private static func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { all in
      var offset = 0
      while offset < all.count, let start = all.baseAddress {
        let count = Glibc.write(STDOUT_FILENO, start + offset, all.count - offset)
        if count <= 0 { return }
        offset += count
      }
    }
  }
}
