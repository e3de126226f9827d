import AppleArchive
import AssetPacks
import JSONText
import SystemIO

/// Why a pack cannot be made or read.
package enum PackingFailure: Error, Sendable {
  /// A file or folder cannot be read or written.
  case system(SystemFailure)
  /// The packaging manifest has faults; `file` is its path.
  case manifest(file: String, AssetPackFailure)
  /// The folder that `sourceRoot` names is not there.
  case sourceRoot(String)
  /// A selector fits nothing.
  case matchesNothing(selector: String, place: String, root: String)
  /// A selector names something of the wrong kind.
  case wrongKind(selector: String, place: String, path: String, expected: String)
  /// A symbolic link or a special file where a pack needs a plain file.
  case notPlain(path: String, place: String)
  /// Two files would go to one path of the pack.
  case samePath(String, first: String, second: String)
  /// A path that no archive may hold.
  case path(String, reason: String)
  /// A file changed its length while it was read.
  case changed(path: String, expected: Int64, found: Int64)
  /// What was packed is not what was hashed before.
  case contentChanged(output: String)
  /// The packaging manifest's `userInfo` has a key that would be written.
  case userInfoKey(file: String, key: String, option: String)
  /// The folder to extract into is there, and not empty or no folder.
  case folderInUse(String)
  /// The folder to extract into cannot be replaced, because somebody stands in it.
  case workingFolder(String)
  /// The archive holds a symbolic link that may not be extracted; texts are escaped.
  case link(file: String, path: String, target: String, reason: String)
  /// Nothing lies below `Contents/`.
  case noContents(file: String)
  /// The folder to make a manifest for is not there; `line` of the depot script, if there is one.
  case contentRoot(String, place: String?)
  /// What is asked for would harm devices, or does not hold: whole sentences.
  case refused([String])
  /// The output is there already.
  case outputExists(String)
  case archive(file: String, ArchiveFailure)
  /// A well-formed archive that says nowhere which pack it is.
  case noManifest(file: String)

  /// Whether a file or folder could not be read or written, and not what stands in it is wrong.
  package var isAboutFiles: Bool {
    switch self {
    case .system, .sourceRoot, .outputExists, .folderInUse, .workingFolder, .contentRoot: true
    default: false
    }
  }

  /// What was wrong, where, what was expected and what to do.
  package var sentence: String {
    switch self {
    case .system(let failure): failure.sentence
    case .manifest(let file, let failure):
      failure.sentence.split(separator: "\n").map { asSentence("\(file): \($0)") }.joined(separator: "\n")
    case .sourceRoot(let path):
      "The folder \(path), which sourceRoot names, is not there; sourceRoot is relative to the manifest's folder."
    case .matchesNothing(let selector, let place, let root):
      "\(place): the selector \(selector) matches nothing below \(Self.place(root)); correct it or take it out."
    case .wrongKind(let selector, let place, let path, let expected):
      "\(place): the selector \(selector) needs \(expected), but \(path) is none."
    case .notPlain(let path, let place):
      "\(place): \(path) is a symbolic link or a special file; a pack holds plain files only, so put the file itself "
        + "there."
    case .samePath(let path, let first, let second):
      "Two files would go to \(path) in the pack: \(first) and \(second); give one of them another destination."
    case .path(let path, let reason): "\(quoted(path)) cannot stand in a pack: \(reason)."
    case .changed(let path, let expected, let found):
      "\(path) changed while it was packed: it had \(expected) bytes, then \(found); pack again when nobody writes "
        + "to it."
    case .contentChanged(let output):
      "A file changed while \(output) was packed, keeping its length; pack again when nobody writes to the files."
    case .userInfoKey(let file, let key, let option):
      "\(file): userInfo has the key \(quoted(key)) already, which \(option) would write; take it out of the manifest "
        + "or leave the option away."
    case .folderInUse(let path):
      "\(path) is there already and is no empty folder; name a folder that is not there yet."
    case .workingFolder(let path):
      "\(path) is the folder you are in, which cannot be replaced; name a folder that is not there yet."
    case .link(let file, let path, let target, let reason):
      "\(file): the symbolic link \(path) to \(target) is not extracted: \(reason)."
    case .noContents(let file): "\(file) has no file below Contents/; extract it without --contents."
    case .contentRoot(let path, let place):
      "\(place.map { "\($0): t" } ?? "T")he folder \(path) with the files is not there; name it with --content-root."
    case .refused(let sentences): sentences.joined(separator: "\n")
    case .outputExists(let path): "\(path) is there already; choose another name, or pass --force to replace it."
    case .archive(let file, let failure): "\(file): \(failure.sentence)"
    case .noManifest(let file): "\(file) has no packaging manifest inside; make it with packhouse pack package."
    }
  }

  /// Where relative selectors start, in words: without a `sourceRoot` it is not the manifest's folder.
  private static func place(_ root: String) -> String {
    root == "." ? "the working directory (with \"sourceRoot\": \".\" it starts at the manifest's folder)" : root
  }
}
