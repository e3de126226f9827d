import AssetPacks
import Glibc
import JSONText
import SystemIO

/// Makes a packaging manifest from what other tools have: a plain folder, or a Steam depot build script.
package struct ManifestConversion: Sendable {
  /// What was made. The selectors have been tried on the files that are there.
  package struct Result: Sendable {
    package let manifest: PackagingManifest
    /// The text of the new manifest.
    package let bytes: [UInt8]
    package let contents: PackContents
    /// What was left out and why, as sentences without a full stop.
    package let notes: [String]
  }

  package let assetPackID: AssetPackID
  package var downloadPolicy: PackDownloadPolicy = .prefetch(.both)
  package var platforms: [Platform] = []
  /// Where the manifest will stand; its `sourceRoot` is relative to that. Nil for the working directory.
  package var output: String?
  /// Takes the place of a script's `ContentRoot`.
  package var contentRoot: String?
  /// Writes down the files that match now where no selector can say the same.
  package var expandsWildcards = false

  package init(_ assetPackID: AssetPackID) { self.assetPackID = assetPackID }

  /// Takes everything below `folder`, but the manifest itself.
  package func convert(folder: String) throws(PackingFailure) -> Result {
    guard let root = realPath(folder), (try? FileStatus.of(root))?.isFolder == true else {
      throw .contentRoot(folder, place: nil)
    }
    var selectors: [FileSelector] = [.directorySource(".", destination: ".")]
    if let own = try manifestPath(below: root) { selectors.append(.fileExclusion(own)) }
    return try result(selectors, root: root, notes: [])
  }

  /// Takes what the script at `path` maps. A relative `ContentRoot` begins at the script's folder.
  package func convert(depotScript path: String) throws(PackingFailure) -> Result {
    let bytes = try onDisk(try readFile(path, limit: KeyValuesParser.maximumBytes))
    let script: DepotScript
    do throws(AssetPackFailure) { script = try DepotScript.parse(bytes) } catch {
      throw .manifest(file: path, error)
    }
    let root = try root(of: script, path)
    let matching: (GlobPattern) throws(PackingFailure) -> [String] = { pattern throws(PackingFailure) in
      try PackContents.paths(matching: pattern, below: root)
    }
    var failure: PackingFailure?
    let expand: ((GlobPattern) throws(AssetPackFailure) -> [String])? =
      expandsWildcards
      ? { pattern throws(AssetPackFailure) in
        do throws(PackingFailure) { return try matching(pattern) } catch {
          failure = error
          throw .depotScript(line: 1, problem: error.sentence)
        }
      } : nil
    let selectors: [FileSelector]
    do throws(AssetPackFailure) { selectors = try script.selectors(expand: expand) } catch {
      throw failure ?? .manifest(file: path, error)
    }
    return try result(selectors, root: root, notes: script.notes.map { "\(path): \($0)" })
  }

  private func root(of script: DepotScript, _ path: String) throws(PackingFailure) -> String {
    let folder = Folder.parent(of: path)
    let place = script.contentRoot.map { _ in "\(path): line \(script.contentRootLine)" }
    let written = script.contentRoot ?? "."
    let named = contentRoot ?? (written.isAbsolutePath ? written : "\(folder)/\(written)")
    guard let root = realPath(named), (try? FileStatus.of(root))?.isFolder == true else {
      throw .contentRoot(contentRoot ?? written, place: contentRoot == nil ? place : nil)
    }
    return root
  }

  private func result(_ selectors: [FileSelector], root: String, notes: [String]) throws(PackingFailure) -> Result {
    let folder = output.map { Folder.parent(of: $0) } ?? "."
    guard let base = realPath(folder) else { throw .system(SystemFailure("open", folder, code: ENOENT)) }
    let manifest = PackagingManifest(
      assetPackID: assetPackID, downloadPolicy: downloadPolicy, fileSelectors: selectors, platforms: platforms,
      sourceRoot: relativePath(from: base, to: root))
    let bytes = manifest.sourceJSON()
    let document: JSONDocument
    do {
      // Read back, so that what is written can be read.
      _ = try PackagingManifest.parse(bytes)
      document = try JSONParser.parse(bytes, dialect: .relaxed)
    } catch {
      let reason = (error as? AssetPackFailure)?.sentence ?? "its text is not JSON"
      throw .refused(["No manifest can be made from \(root): \(reason)."])
    }
    let contents = try PackContents(manifest, path: output ?? "Manifest.json", document: document)
    return Result(manifest: manifest, bytes: bytes, contents: contents, notes: notes)
  }

  /// The path of the manifest to be, relative to `root`; nil when it does not lie below it.
  private func manifestPath(below root: String) throws(PackingFailure) -> String? {
    guard let output, let folder = realPath(Folder.parent(of: output)) else { return nil }
    let name = output.pathParts.last { !$0.isEmpty } ?? output
    if folder == root { return name }
    return (root == "/" ? String(folder.dropFirst()) : folder.path(below: root)).map { "\($0)/\(name)" }
  }
}

/// The way from one absolute path without links to another: `../b` from `/a` to `/b`, `.` when they are the same.
func relativePath(from base: String, to target: String) -> String {
  let from = base.pathParts.filter { !$0.isEmpty }
  let to = target.pathParts.filter { !$0.isEmpty }
  let shared = zip(from, to).prefix { $0 == $1 }.count
  let parts = Array(repeating: "..", count: from.count - shared) + to[shared...]
  return parts.isEmpty ? "." : parts.joined(separator: "/")
}
