import JSONText
import Values

extension DepotScript {
  /// The selectors that say the same as the mappings and exclusions, for a root at `contentRoot`.
  ///
  /// `expand` is asked for what no selector can say, wildcards whose files go to another folder and wildcards of
  /// exclusions: it gets a pattern and returns the paths that match it now. Nil makes such lines faults.
  /// - Throws: `AssetPackFailure.depotScript` with the line of the first thing that a packaging manifest cannot
  ///   express.
  package func selectors(
    expand: ((GlobPattern) throws(AssetPackFailure) -> [String])? = nil
  ) throws(AssetPackFailure) -> [FileSelector] {
    var selectors: [FileSelector] = []
    for mapping in mappings { selectors += try self.selectors(of: mapping, expand) }
    for exclusion in exclusions { selectors += try self.selectors(of: exclusion, expand) }
    return selectors
  }

  private func selectors(
    of mapping: Mapping, _ expand: ((GlobPattern) throws(AssetPackFailure) -> [String])?
  ) throws(AssetPackFailure) -> [FileSelector] {
    let line = mapping.line
    let local = try Self.clean(mapping.localPath, "LocalPath", line, mayBeRoot: true)
    let depot = try Self.clean(mapping.depotPath, "DepotPath", line, mayBeRoot: true)
    guard !Self.hasWildcard(depot) else {
      throw .depotScript(line: line, problem: "expected \"DepotPath\" without wildcards, found \(quoted(depot))")
    }
    let (folder, name) = Self.split(local)
    guard !Self.hasWildcard(folder) else {
      throw .depotScript(
        line: line, problem: "expected wildcards in the last part of \"LocalPath\" only, found \(quoted(local))")
    }
    guard Self.hasWildcard(name) else {
      // A folder by its name is what SteamPipe takes for a file that is not there.
      guard local != "." else {
        throw .depotScript(line: line, problem: "expected \"LocalPath\" to name files, as in \"*\", found \".\"")
      }
      let isFolder = depot == "." || mapping.depotPath.utf8.last == UInt8(ascii: "/")
      let destination = isFolder ? Self.join(depot, name) : depot
      return [destination == local ? .file(local) : .fileSource(local, destination: destination)]
    }
    if mapping.isRecursive, name == "*" || name == "*.*" {
      return [.directorySource(folder, destination: depot)]
    }
    let pattern = try Self.pattern(Self.join(folder, mapping.isRecursive ? "**/\(name)" : name), line)
    if folder == depot { return [.filePattern(pattern)] }
    guard let expand else {
      throw .depotScript(
        line: line,
        problem: "the wildcard \(quoted(local)) with the destination \(quoted(depot)) cannot be expressed in a "
          + "packaging manifest, where patterns keep their paths; name a whole folder, or pass --expand "
          + "to write down the files "
          + "that match now")
    }
    let paths = try expand(pattern)
    guard !paths.isEmpty else {
      throw .depotScript(line: line, problem: "the wildcard \(quoted(local)) matches no file")
    }
    return paths.map { path in
      return .fileSource(path, destination: Self.join(depot, path.path(below: folder) ?? path))
    }
  }

  private func selectors(
    of exclusion: Exclusion, _ expand: ((GlobPattern) throws(AssetPackFailure) -> [String])?
  ) throws(AssetPackFailure) -> [FileSelector] {
    let line = exclusion.line
    let path = try Self.clean(exclusion.path, "FileExclusion", line, mayBeRoot: false)
    guard Self.hasWildcard(path) else { return [.fileExclusion(path)] }
    let (folder, name) = Self.split(path)
    if folder != ".", !Self.hasWildcard(folder), name == "*" || name == "*.*" { return [.fileExclusion(folder)] }
    guard let expand else {
      throw .depotScript(
        line: line,
        problem: "the wildcard \(quoted(path)) cannot be expressed in a packaging manifest, whose fileExclusion "
          + "names one file or folder; name a folder, or pass --expand to write down the files that match now")
    }
    // SteamPipe applies `*.pdb` in every folder, and `bin/tools*` to all that begins so.
    let text = String(path.split(separator: "*", omittingEmptySubsequences: false).joined(separator: "**"))
    return try expand(try Self.pattern(text, line)).map { .fileExclusion($0) }
  }

  private static func pattern(_ text: String, _ line: Int) throws(AssetPackFailure) -> GlobPattern {
    // Brackets are ordinary characters in depot scripts.
    let escaped = text.replacing("[", with: "\\[")
    do throws(AssetPackFailure) {
      return try GlobPattern(escaped)
    } catch {
      throw .depotScript(line: line, problem: error.sentence)
    }
  }

  private static func clean(
    _ text: String, _ key: String, _ line: Int, mayBeRoot: Bool
  ) throws(AssetPackFailure) -> String {
    let isOfWindows = text.dropFirst().first == ":"
    guard !isOfWindows, !text.isAbsolutePath else {
      throw .depotScript(
        line: line, problem: "expected \(quoted(key)) relative to the content root, found \(quoted(text))")
    }
    switch PackagePath.clean(text, isFolder: true, allowsRoot: mayBeRoot) {
    case .success(let path): return path
    case .failure(let problem): throw .depotScript(line: line, problem: "\(quoted(key)): \(problem.text)")
    }
  }

  private static func hasWildcard(_ text: String) -> Bool { text.contains("*") || text.contains("?") }

  private static func split(_ path: String) -> (folder: String, name: String) {
    let parts = path.pathParts
    return parts.count < 2 ? (".", path) : (parts.dropLast().joined(separator: "/"), parts[parts.count - 1])
  }

  private static func join(_ folder: String, _ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }
}
