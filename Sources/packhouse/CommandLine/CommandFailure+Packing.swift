import AppleArchive
import AssetPacks
import Packing
import SystemIO

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

/// Runs `body` with the failures of packing as those of a verb.
func packing<Value>(_ body: () throws(PackingFailure) -> Value) throws(CommandFailure) -> Value {
  do throws(PackingFailure) { return try body() } catch { throw CommandFailure(error) }
}
