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

extension Output {
  /// Writes a text to the file that `--output` names, whole or not at all, or to standard output.
  /// - Parameter replaces: a file that may be replaced without `--force`.
  static func write(
    _ bytes: [UInt8], for arguments: Arguments, replaces: String? = nil
  ) throws(CommandFailure) {
    guard let output = arguments.value("output") else {
      let text = String(decoding: bytes, as: UTF8.self)
      return write(text.hasSuffix("\n") ? text : text + "\n")
    }
    let isThere = isSymbolicLink(output) || (try? FileStatus.of(output)) != nil
    guard !isThere || arguments.has("force") || output == replaces else {
      throw CommandFailure(PackingFailure.outputExists(output))
    }
    // A device or pipe would be replaced by a file, and a link instead of what it leads to.
    if let status = try? FileStatus.of(output), !status.isRegularFile {
      throw CommandFailure(PackingFailure.outputKind(output))
    }
    let target = isSymbolicLink(output) ? realPath(output) ?? output : output
    do throws(SystemFailure) { try AtomicFile.write(bytes, to: target) } catch {
      throw CommandFailure(error.sentence, .cannotCreate)
    }
  }
}

extension Arguments {
  /// The platforms of `--platform`.
  func platforms() throws(CommandFailure) -> [Platform] {
    var platforms: [Platform] = []
    for name in all("platform") {
      guard let platform = Platform(rawValue: name) else {
        let names = Platform.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure("--platform \(name) is none; expected \(names).", .usage)
      }
      if !platforms.contains(platform) { platforms.append(platform) }
    }
    return platforms
  }

  /// The profile of `--profile`, App Store Connect's when nothing else is said.
  func profile() throws(CommandFailure) -> PackIDProfile {
    guard let name = value("profile") else { return .appStore }
    guard let profile = PackIDProfile(rawValue: name) else {
      let names = PackIDProfile.allCases.map(\.rawValue).joined(separator: " or ")
      throw CommandFailure("--profile \(name) is none; expected \(names).", .usage)
    }
    return profile
  }
}

extension Verb.Option {
  static let profile = value(
    "profile", "PROFILE", "Whose rules the id must meet: self-hosted, or app-store (letters, digits, hyphens).")
  static let strict = flag("strict", "Treat every warning as an error: exit code 65.")
}
