import Packing
import SystemIO
import TLS

extension CommandFailure {
  init(_ failure: PackingFailure) {
    switch failure {
    case .system(let system): self.init(failure.sentence, ExitCode(system))
    case .unreadable, .sourceRoot, .contentRoot: self.init(failure.sentence, .noInput)
    case .outputExists, .outputKind, .folderInUse, .workingFolder: self.init(failure.sentence, .cannotCreate)
    case .archive(_, let archive): self.init(failure.sentence, .dataError, code: archive.code)
    default: self.init(failure.sentence, .dataError)
    }
  }
}

extension ExitCode {
  /// What a failed call means for a verb that reads and writes files.
  init(_ failure: SystemFailure) {
    let writing: Set = ["create", "rename", "mkdir", "pwrite", "fsync", "symlink", "ftruncate"]
    self = writing.contains(failure.call) ? .cannotCreate : .noInput
  }
}

extension CommandFailure {
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
