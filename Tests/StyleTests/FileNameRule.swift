import Foundation

/// A file is named after what takes the most lines in it.
///
/// - `Type+Topic.swift` only extends `Type`; what else it needs is private.
/// - Where a type of the file, together with its extensions there, has more lines than anything else, the file is named
///   after it, or after the first type.
/// - Otherwise extensions or functions are the larger part, and the file is named after their concept, which is no type
///   of another file.
enum FileNameRule {
  /// - Parameter types: where each type of the project is declared: paths by name.
  static func violations(in file: ProjectTree.File, types: [String: [String]]) -> [String] {
    let declarations = Declarations(file)
    let name = (file.path as NSString).lastPathComponent.replacingOccurrences(of: ".swift", with: "")
    if name == "main" { return [] }
    if let plus = name.firstIndex(of: "+") {
      let type = String(name[..<plus])
      return declarations.all.filter { $0.name != type && !$0.isPrivate || $0.kind == .type && !$0.isPrivate }.map {
        "\(file.place($0.line)): \(name).swift is for extensions of \(type); move \($0.name) to a file of its own"
      }
    }
    let own = declarations.visibleTypes
    var lines: [String: Int] = [:]
    var rest = 0
    for declaration in declarations.all {
      if own.contains(where: { $0.name == declaration.name }) {
        lines[declaration.name, default: 0] += declaration.length
      } else {
        rest += declaration.length
      }
    }
    if let most = lines.values.max(), most >= rest {
      let allowed = own.filter { lines[$0.name] == most }.map(\.name) + [own[0].name]
      if allowed.contains(name) { return [] }
      return ["\(file.path):1: the file is mostly about \(allowed[0]); name it \(allowed[0]).swift"]
    }
    let elsewhere = (types[name] ?? []).filter { $0 != file.path }
    if own.contains(where: { $0.name == name }) || elsewhere.isEmpty { return [] }
    return [
      "\(file.path):1: \(name) is a type of \(elsewhere[0]); name the file \(name)+Topic.swift or after its concept"
    ]
  }
}
