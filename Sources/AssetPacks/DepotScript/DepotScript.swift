import JSONText
import Values

/// A Steam depot build script: which files of a content root go where.
package struct DepotScript: Equatable, Sendable {
  /// `FileMapping`: files that `localPath` names, put below or at `depotPath`. Paths have `/` between their parts.
  package struct Mapping: Equatable, Sendable {
    package let localPath: String
    package let depotPath: String
    package let isRecursive: Bool
    package let line: Int
  }

  /// `FileExclusion`.
  package struct Exclusion: Equatable, Sendable {
    package let path: String
    package let line: Int
  }

  /// Relative to the script's folder, or absolute; nil when the script does not say.
  package let contentRoot: String?
  /// The line of `ContentRoot`.
  package let contentRootLine: Int
  package let mappings: [Mapping]
  package let exclusions: [Exclusion]
  /// What the script contains that has no meaning for a pack.
  package let notes: [String]

  private static let ignored = ["DepotID", "InstallScript", "FileProperties", "BuildOutput", "Preview", "Desc"]

  /// - Throws: `AssetPackFailure.depotScript` with the line of the first fault.
  package static func parse(_ bytes: [UInt8]) throws(AssetPackFailure) -> DepotScript {
    let nodes = try KeyValuesParser.parse(bytes)
    guard let root = nodes.first else {
      throw .depotScript(line: 1, problem: "expected \"DepotBuildConfig\" or \"DepotBuild\", found nothing")
    }
    if root.isNamed("AppBuild") {
      throw .depotScript(
        line: root.line, problem: "this is an app build script; convert the depot build scripts that it names")
    }
    guard root.isNamed("DepotBuildConfig") || root.isNamed("DepotBuild"), case .nodes(let members) = root.value else {
      throw .depotScript(
        line: root.line,
        problem: "expected \"DepotBuildConfig\" or \"DepotBuild\" with braces, found \(quoted(root.key))")
    }
    if let second = nodes.dropFirst().first {
      throw .depotScript(line: second.line, problem: "expected the end of the text, found \(quoted(second.key))")
    }
    return try script(members, line: root.line)
  }

  private static func script(_ members: [KeyValues], line: Int) throws(AssetPackFailure) -> DepotScript {
    var contentRoot: (text: String, line: Int)?
    var mappings: [Mapping] = []
    var exclusions: [Exclusion] = []
    var notes: [String] = []
    for member in members {
      if member.isNamed("ContentRoot") {
        guard contentRoot == nil else {
          throw .depotScript(line: member.line, problem: "expected \"ContentRoot\" once, found it again")
        }
        contentRoot = (slashed(try text(member)), member.line)
      } else if member.isNamed("FileMapping") {
        mappings.append(try mapping(member))
      } else if member.isNamed("FileExclusion") {
        exclusions.append(Exclusion(path: slashed(try text(member)), line: member.line))
      } else if ignored.contains(where: { member.isNamed($0) }) {
        notes.append("line \(member.line): \(quoted(member.key)) means nothing for a pack and was left out")
      } else {
        let known = ["ContentRoot", "FileMapping", "FileExclusion"] + ignored
        let hint = nearest(to: member.key, in: known).map { ", did you mean \(quoted($0))?" } ?? ""
        throw .depotScript(line: member.line, problem: "unknown key \(quoted(member.key))" + hint)
      }
    }
    guard !mappings.isEmpty else {
      throw .depotScript(line: line, problem: "expected at least one \"FileMapping\", found none")
    }
    return DepotScript(
      contentRoot: contentRoot?.text, contentRootLine: contentRoot?.line ?? line, mappings: mappings,
      exclusions: exclusions, notes: notes)
  }

  private static func mapping(_ node: KeyValues) throws(AssetPackFailure) -> Mapping {
    guard case .nodes(let members) = node.value else {
      throw .depotScript(line: node.line, problem: "expected { after \"FileMapping\", found a text")
    }
    var values: [String: String] = [:]
    let keys = ["LocalPath", "DepotPath", "Recursive"]
    for member in members {
      guard let key = keys.first(where: { member.isNamed($0) }) else {
        let hint = nearest(to: member.key, in: keys).map { ", did you mean \(quoted($0))?" } ?? ""
        throw .depotScript(line: member.line, problem: "unknown key \(quoted(member.key)) in \"FileMapping\"" + hint)
      }
      guard values[key] == nil else {
        throw .depotScript(line: member.line, problem: "expected \(quoted(key)) once, found it again")
      }
      values[key] = try text(member)
    }
    func required(_ key: String) throws(AssetPackFailure) -> String {
      guard let value = values[key], !value.isEmpty else {
        throw .depotScript(line: node.line, problem: "expected \(quoted(key)) in \"FileMapping\", found none")
      }
      return slashed(value)
    }
    let recursive = values["Recursive"] ?? "0"
    guard recursive == "0" || recursive == "1" else {
      throw .depotScript(
        line: node.line, problem: "expected \"recursive\" to be \"0\" or \"1\", found \(quoted(recursive))")
    }
    return Mapping(
      localPath: try required("LocalPath"), depotPath: try required("DepotPath"), isRecursive: recursive == "1",
      line: node.line)
  }

  private static func text(_ node: KeyValues) throws(AssetPackFailure) -> String {
    guard case .text(let text) = node.value else {
      throw .depotScript(line: node.line, problem: "expected a text after \(quoted(node.key)), found {")
    }
    return text
  }

  /// With the slashes of other systems than Windows.
  private static func slashed(_ path: String) -> String { String(path.map { $0 == "\\" ? "/" : $0 }) }
}
