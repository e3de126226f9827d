import AppleArchive
import AssetPacks
import JSONText
import SystemIO
import Values

/// Why a pack cannot be made or read.
package enum PackingFailure: Error, Sendable {
  /// A file or folder cannot be read or written.
  case system(SystemFailure)
  /// The packaging manifest has faults; `file` is its path.
  case manifest(file: String, AssetPackFailure)
  /// The folder that `sourceRoot` names is not there.
  case sourceRoot(String)
  /// A selector fits nothing.
  case matchesNothing(SelectorPlace, root: String, hasSourceRoot: Bool)
  /// A selector names something of the wrong kind.
  case wrongKind(SelectorPlace, path: String, expected: String)
  /// A symbolic link or a special file where a pack needs a plain file.
  case notPlain(path: String, SelectorPlace?)
  /// A file's name is not UTF-8.
  case notUTF8(path: String, SelectorPlace?)
  /// What a selector takes cannot be read.
  case unreadable(SystemFailure, SelectorPlace?)
  /// Two files would go to one path of the pack.
  case samePath(String, first: String, SelectorPlace, second: String, SelectorPlace)
  /// A path that no archive may hold, or not beside the others.
  case path(String, reason: String, SelectorPlace)
  /// A file changed while it was read; `found` is its new length in bytes, when that is another.
  case changed(path: String, expected: Int64, found: Int64?, SelectorPlace)
  /// A selector takes the archive that is to be made.
  case outputIsSource(path: String, SelectorPlace)
  /// A program in a pack for macOS.
  case executable(path: String, SelectorPlace)
  /// What would be replaced is a device, a folder or the like.
  case outputKind(String)
  /// What was packed is not what was hashed before.
  case contentChanged(output: String)
  /// The packaging manifest's `userInfo` has a key that would be written.
  case userInfoKey(file: String, key: String, option: String)
  /// The folder to extract into is there, and not empty or no folder.
  case folderInUse(String)
  /// The folder to extract into cannot be replaced, because it is the working folder of a process.
  case workingFolder(String)
  /// The archive holds a symbolic link that may not be extracted; texts are escaped.
  case link(file: String, path: String, target: String, reason: String)
  /// Nothing lies below `Contents/`.
  case noContents(file: String)
  /// The folder to make a manifest for is not there; `line` of the depot script, if there is one.
  case contentRoot(String, place: String?)
  /// What is asked for would harm devices, or does not hold: whole sentences.
  case refused([String])
  /// The output already exists.
  case outputExists(String)
  case archive(file: String, ArchiveFailure)
  /// A well-formed archive that says nowhere which pack it is.
  case noManifest(file: String)

  /// Whether a file or folder could not be read or written, and not what stands in it is wrong.
  package var isAboutFiles: Bool {
    switch self {
    case .system, .unreadable, .sourceRoot, .outputExists, .outputKind, .folderInUse, .workingFolder, .contentRoot: true
    case .manifest, .matchesNothing, .wrongKind, .notPlain, .notUTF8, .samePath, .path, .changed, .outputIsSource,
      .executable, .contentChanged, .userInfoKey, .link, .noContents, .refused, .archive, .noManifest:
      false
    }
  }

  /// What was wrong, where, what was expected and what to do.
  package var sentence: String {
    switch self {
    case .system(let failure): escaped(failure.sentence)
    case .manifest(let file, let failure):
      failure.sentence.split(separator: "\n").map { asSentence("\(escaped(file)): \($0)") }.joined(separator: "\n")
    case .sourceRoot(let path):
      "The folder \(path), which sourceRoot names, is not there; sourceRoot is relative to the manifest's folder."
    case .matchesNothing(let place, let root, let hasSourceRoot):
      "\(place.text) matches nothing below \(Self.place(root, hasSourceRoot)); correct it or take it out."
    case .wrongKind(let place, let path, let expected):
      "\(place.text) needs \(expected), but \(escaped(path)) is not one."
    case .notPlain(let path, let place):
      Self.taking(path, place) + "is a symbolic link or a special file; a pack holds plain files only, so put the file "
        + "itself there."
    case .notUTF8(let path, let place):
      Self.taking(path, place) + "has a name that is not UTF-8 text, as paths of packs must be; rename it."
    case .unreadable(let failure, let place):
      Self.taking(failure.subject, place)
        + "cannot be read: \(failure.call) says \(failure.reason). Check its owner and "
        + "mode."
    case .samePath(let path, let first, let firstPlace, let second, let secondPlace):
      "\(secondPlace.text) gives the path \(escaped(path)) in the pack to \(escaped(second)), but "
        + "\(firstPlace.name) in line \(firstPlace.line) gives it to \(escaped(first)); give one of them another "
        + "destination."
    case .path(let path, let reason, let place):
      "\(place.text) gives a file the path \(quoted(path)), which cannot stand in the pack: \(reason)."
    case .changed(let path, let expected, let found, let place):
      Self.taking(path, place) + "changed while it was packed"
        + (found.map { ": it had \(expected) bytes, then \($0)" } ?? ", keeping its length")
        + "; pack again when nothing writes to it."
    case .outputIsSource(let path, let place):
      Self.taking(path, place) + "is the archive that is to be made; put that outside of what the pack takes, or add a "
        + "fileExclusion."
    case .executable(let path, let place):
      "\(place.text) takes \(escaped(path)), a Mach-O executable, which a pack for macOS may not hold; take it out, or "
        + "name the platforms without macOS."
    case .outputKind(let path):
      "\(escaped(path)) already exists and is not a regular file, so it is not replaced; choose another name."
    case .contentChanged(let output):
      "A file changed while \(output) was packed, keeping its length; pack again when nothing writes to the files."
    case .userInfoKey(let file, let key, let option):
      "\(file): userInfo has the key \(quoted(key)) already, which \(option) would write; take it out of the manifest "
        + "or leave the option away."
    case .folderInUse(let path):
      "\(escaped(path)) already exists and is not an empty folder; name a folder that does not exist yet."
    case .workingFolder(let path):
      "\(path) is the folder you are in, which cannot be replaced; name a folder that is not there yet."
    case .link(let file, let path, let target, let reason):
      "\(file): the symbolic link \(path) to \(target) is not extracted: \(reason)."
    case .noContents(let file): "\(file) has no file below Contents/; extract it without --contents."
    case .contentRoot(let path, let place):
      place.map { "\($0): the folder \(escaped(path)) with the files is not there; name it with --content-root." }
        ?? "The folder \(escaped(path)) with the files is not there."
    case .refused(let sentences): sentences.joined(separator: "\n")
    case .outputExists(let path):
      "\(escaped(path)) already exists; choose another name, or pass --force to replace it."
    case .archive(let file, let failure): "\(escaped(file)): \(failure.sentence)"
    case .noManifest(let file): "\(file) has no packaging manifest inside; make it with packhouse pack package."
    }
  }

  /// Where relative selectors start, in words: without a `sourceRoot` it is not the manifest's folder.
  private static func place(_ root: String, _ hasSourceRoot: Bool) -> String {
    if hasSourceRoot { return root == "." ? "the manifest's folder" : escaped(root) }
    return "the working directory (with \"sourceRoot\": \".\" it starts at the manifest's folder)"
  }

  /// The beginning of a sentence on a file that a selector takes.
  private static func taking(_ path: String, _ place: SelectorPlace?) -> String {
    "\(place.map { "\($0.text) takes \(escaped(path)), which" } ?? escaped(path)) "
  }
}

/// The result of `step`; its failure as `.system`.
func onDisk<T>(_ step: @autoclosure () throws(SystemFailure) -> T) throws(PackingFailure) -> T {
  do { return try step() } catch { throw .system(error) }
}

/// The result of `step`, which reads what the selector at `place` takes; its failure as `.unreadable`.
func onDisk<T>(
  for place: SelectorPlace?, _ step: @autoclosure () throws(SystemFailure) -> T
) throws(PackingFailure) -> T {
  do { return try step() } catch { throw .unreadable(error, place) }
}
