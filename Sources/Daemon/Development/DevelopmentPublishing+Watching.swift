import AssetPacks
import Packing
import SystemIO

// What a watch looks at.
extension DevelopmentPublishing {
  /// The folders of all files that the packs are made of, and those between them and where the selection starts.
  var watchedFolders: Set<String> {
    var folders: Set<String> = []
    for input in inputs {
      folders.insert(Folder.parent(of: input))
      for file in sources(input) {
        var folder = Folder.parent(of: file)
        while folders.insert(folder).inserted, folder != ".", folder != "/" { folder = Folder.parent(of: folder) }
      }
    }
    return folders
  }

  /// By which a change of any file is noticed; nil stands for a file that is not there.
  var stamps: [String: FileStatus?] {
    var stamps: [String: FileStatus?] = [:]
    for input in inputs {
      for file in [input] + sources(input) { stamps[file] = .some((try? FileStatus.of(file)) ?? nil) }
    }
    return stamps
  }

  /// The files that a packaging manifest selects; none for an archive, and for a manifest that cannot be read now.
  private func sources(_ input: String) -> [String] {
    guard input.hasSuffix(".json"), let (manifest, document) = try? PackBuilder.read(input),
      let contents = try? PackContents(manifest, path: input, document: document)
    else { return [] }
    return contents.files.map(\.source)
  }
}
