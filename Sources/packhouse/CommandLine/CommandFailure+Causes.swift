import Packing
import SystemIO
import TLS

extension CommandFailure {
  init(_ failure: PackingFailure) {
    switch failure {
    case .system(let system): self.init(failure.sentence, Self.exitCode(of: system))
    case .unreadable, .sourceRoot, .contentRoot: self.init(failure.sentence, .noInput)
    case .outputExists, .outputKind, .folderInUse, .workingFolder: self.init(failure.sentence, .cannotCreate)
    case .archive(_, let archive): self.init(failure.sentence, .dataError, code: archive.code)
    case .manifest, .matchesNothing, .wrongKind, .notPlain, .notUTF8, .samePath, .path, .changed, .outputIsSource,
      .executable, .contentChanged, .userInfoKey, .link, .noContents, .refused, .noManifest:
      self.init(failure.sentence, .dataError)
    }
  }

  /// What a failed call means for a verb that reads and writes files.
  private static func exitCode(of failure: SystemFailure) -> ExitCode {
    let writing: Set = ["create", "rename", "mkdir", "pwrite", "fsync", "symlink", "ftruncate"]
    return writing.contains(failure.call) ? .cannotCreate : .noInput
  }

  /// The value that packing gives, with its failures as those of a verb.
  static func packing<Value>(
    _ value: @autoclosure () throws(PackingFailure) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(PackingFailure) { return try value() } catch { throw CommandFailure(error) }
  }

  /// The value that the handling of certificates gives, with its failures as those of a verb.
  static func tls<Value>(_ value: @autoclosure () throws(TLSFailure) -> Value) throws(CommandFailure) -> Value {
    do throws(TLSFailure) { return try value() } catch { throw CommandFailure(error.sentence, .dataError) }
  }
}
