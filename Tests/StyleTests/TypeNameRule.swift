/// No two types at the top level have one name, so that a name says which one is meant. A private one in a file of its
/// own counts too: who searches finds both.
enum TypeNameRule {
  /// Where each type of `files` is declared: paths by name.
  static func types(in files: [ProjectTree.File]) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for file in files {
      for type in Declarations(file).all where type.kind == .type {
        found[type.name, default: []].append(file.path)
      }
    }
    return found
  }

  static func violations(in files: [ProjectTree.File]) -> [String] {
    types(in: files).filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { name, paths in
      "\(paths[0]):1: there are \(paths.count) types called \(name): \(paths.joined(separator: ", ")); "
        + "rename all but one"
    }
  }
}
