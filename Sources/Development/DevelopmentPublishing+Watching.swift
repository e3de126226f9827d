import AssetPacks
import Packing
import SystemIO

extension DevelopmentPublishing {
  /// What the packs are made of now. A manifest that cannot be read now selects nothing.
  var watched: WatchedFiles {
    var watched = WatchedFiles()
    for input in inputs {
      let folder = Folder.parent(of: input)
      watched.add(input, below: folder)
      guard input.hasSuffix(".json"), let (manifest, document) = try? PackBuilder.read(input),
        let contents = try? PackContents(manifest, path: input, document: document)
      else { continue }
      let root = manifest.sourceRoot.map { $0 == "." ? folder : folder == "." ? $0 : "\(folder)/\($0)" } ?? "."
      for file in contents.files { watched.add(file.source, below: root) }
    }
    return watched
  }

  /// By which a change of any file is noticed; nil stands for a file that is not there.
  var stamps: [String: FileStatus?] {
    var stamps: [String: FileStatus?] = [:]
    for file in watched.files { stamps[file] = .some((try? FileStatus.of(file)) ?? nil) }
    return stamps
  }
}
