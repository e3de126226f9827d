import Glibc
import SystemIO
import TLS

/// The files that the certificate verbs read and write.
enum CertFiles {
  static let force = Verb.Option.flag("force", "Replace files that are there already.")
  private static let limit = 1 << 20

  /// Throws when something is at one of the paths, unless `--force` was given. Checked before anything is made.
  static func mustBeFree(_ paths: [String], _ arguments: Arguments) throws(CommandFailure) {
    guard !arguments.has("force") else { return }
    for path in paths where isSymbolicLink(path) || (try? FileStatus.of(path)) != nil {
      throw CommandFailure(
        "\(path) is there already, and a key that is gone cannot be made again; pass --force to replace it.",
        .cannotCreate)
    }
  }

  /// Writes a file whole or not at all.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(CommandFailure) {
    do throws(SystemFailure) { try AtomicFile.write(bytes, to: path, mode: mode) } catch {
      throw CommandFailure(error.sentence, .cannotCreate)
    }
  }

  static func makeFolder(_ path: String) throws(CommandFailure) {
    do throws(SystemFailure) { try Folder.create(path, mode: 0o700) } catch {
      throw CommandFailure(error.sentence, .cannotCreate)
    }
  }

  static func read(_ path: String) throws(CommandFailure) -> PEMText {
    do throws(SystemFailure) { return PEMText(file: path, bytes: try readFile(path, limit: limit)) } catch {
      throw CommandFailure(error.sentence, .noInput)
    }
  }
}

/// Runs `body` with the failures of TLS as those of a verb.
func certificates<Value>(_ body: () throws(TLSFailure) -> Value) throws(CommandFailure) -> Value {
  do throws(TLSFailure) { return try body() } catch { throw CommandFailure(error.sentence, .dataError) }
}
