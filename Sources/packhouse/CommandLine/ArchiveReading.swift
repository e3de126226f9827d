import AppleArchive
import Packing
import SystemIO

/// What the verbs that read archives have in common.
enum ArchiveReading {
  /// Opens the archive at `path`, `-` for standard input, and shows on a terminal how far the reading has come.
  static func open<Result>(
    _ path: String, _ arguments: Arguments, _ body: (ArchiveFile) throws(CommandFailure) -> Result
  ) throws(CommandFailure) -> Result {
    let limits = try arguments.limits()
    let bar = ProgressBar("Reading", total: 10_000, isQuiet: arguments.has("quiet") || arguments.has("json"))
    defer { bar.end() }
    let file = try packing { () throws(PackingFailure) in
      do throws(SystemFailure) {
        return try ArchiveFile.open(named: path, limit: limits.decodedBytes) { done, total in
          bar.show(total > 0 ? Int64(Double(done) / Double(total) * 10_000) : 0)
        }
      } catch { throw .system(error) }
    }
    return try body(file)
  }
}

extension Verb.Option {
  /// How much an archive may ask of its reader.
  static let limits = [
    value("max-bytes", "BYTES", "The most that an archive may decode to (8589934592)."),
    value("max-entries", "COUNT", "The most files and folders in an archive (1000000)."),
    value("max-depth", "COUNT", "The most folders one in another, the file counted too (64)."),
  ]
}

extension Arguments {
  /// The limits for archives that come from anywhere.
  func limits() throws(CommandFailure) -> ArchiveLimits {
    var limits = ArchiveLimits()
    if let count = try count("max-bytes") { limits.decodedBytes = count }
    if let count = try count("max-entries") { limits.entries = Int(clamping: count) }
    if let count = try count("max-depth") { limits.pathDepth = Int(clamping: count) }
    return limits
  }

  private func count(_ name: String) throws(CommandFailure) -> Int64? {
    guard let text = value(name) else { return nil }
    guard let count = Int64(text), count > 0 else {
      throw CommandFailure("--\(name) \(text) is no count; expected a number above 0.", .usage)
    }
    return count
  }
}
