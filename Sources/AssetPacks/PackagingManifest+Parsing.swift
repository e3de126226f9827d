import JSONText
import Values

extension PackagingManifest {
  private static let keys = [
    "assetPackID", "downloadPolicy", "fileSelectors", "platforms", "language", "sourceRoot", "userInfo",
  ]

  /// Reads a manifest: JSON with comments and trailing commas.
  /// - Throws: `AssetPackFailure.packagingManifest` with every fault, each with its line and key path.
  package static func parse(
    _ bytes: [UInt8], origin: Origin = .sourceTree, limits: JSONLimits = JSONLimits(byteCount: 1 << 20)
  ) throws(AssetPackFailure) -> PackagingManifest {
    let document: JSONDocument
    do {
      document = try JSONParser.parse(bytes, dialect: .relaxed, limits: limits)
    } catch {
      throw .packagingManifest([ManifestReading.fault(error)])
    }
    var reading = ManifestReading(document: document)
    let manifest = reading.packagingManifest(allowing: origin == .archive ? keys + ["toolsVersion"] : keys)
    guard let manifest, reading.faults.isEmpty else { throw .packagingManifest(reading.sortedFaults) }
    return manifest
  }
}

extension ManifestReading {
  fileprivate mutating func packagingManifest(allowing keys: [String]) -> PackagingManifest? {
    guard let root = object(document.cursor, allowing: keys) else { return nil }
    let id = required(root, "assetPackID", "the pack's name")
      .flatMap { value($0) { text throws(AssetPackFailure) in try AssetPackID(text) } }
    let policy = required(root, "downloadPolicy", "an object with one of \"essential\", \"prefetch\", \"onDemand\"")
      .flatMap { downloadPolicy($0) }
    let selectors = required(root, "fileSelectors", "an array of selectors").flatMap { fileSelectors($0) }
    let platforms = required(root, "platforms", "an array of platforms, [] for all").flatMap { self.platforms($0) }
    let language = root.present("language")
      .flatMap { value($0) { text throws(AssetPackFailure) in try LanguageTag(text) } }
    let sourceRoot = root.present("sourceRoot").flatMap { self.sourceRoot($0) }
    let userInfo = root.present("userInfo").flatMap { anyObject($0) }
    let toolsVersion = keys.contains("toolsVersion") ? root.present("toolsVersion").flatMap { string($0) } : nil
    guard let id, let policy, let selectors, let platforms else { return nil }
    return PackagingManifest(
      assetPackID: id, downloadPolicy: policy, fileSelectors: selectors, platforms: platforms, language: language,
      sourceRoot: sourceRoot, userInfo: userInfo, toolsVersion: toolsVersion)
  }

  private mutating func fileSelectors(_ cursor: JSONCursor) -> [FileSelector]? {
    guard let elements = array(cursor) else { return nil }
    let before = faults.count
    let selectors = elements.compactMap { fileSelector($0) }
    guard faults.count == before else { return nil }
    let selects = selectors.contains { if case .fileExclusion = $0 { false } else { true } }
    guard selects else {
      note(
        cursor.path,
        "expected at least one selector that takes files, found \(elements.isEmpty ? "none" : "exclusions only")")
      return nil
    }
    return selectors
  }

  private mutating func platforms(_ cursor: JSONCursor) -> [Platform]? {
    guard let elements = array(cursor) else { return nil }
    let names = Platform.allCases.map(\.rawValue)
    var platforms: [Platform] = []
    for element in elements {
      guard let name = string(element) else { continue }
      guard let platform = Platform(rawValue: name) else {
        let hint =
          switch name {
          case "iPadOS": "; iOS covers the iPad"
          case "watchOS": "; there are no asset packs on the watch"
          default: nearest(to: name, in: names).map { ", did you mean \(quoted($0))?" } ?? ""
          }
        note(element.path, "expected \(names.map(quoted).joined(separator: ", ")), found \(quoted(name))" + hint)
        continue
      }
      if platforms.contains(platform) {
        note(element.path, "expected each platform once, found \(quoted(name)) again")
      } else {
        platforms.append(platform)
      }
    }
    return platforms
  }

  private mutating func sourceRoot(_ cursor: JSONCursor) -> String? {
    guard let text = string(cursor) else { return nil }
    guard !text.isEmpty, !text.isAbsolutePath, !text.utf8.contains(0), text.utf8.count <= 1024 else {
      note(cursor.path, "expected a path relative to the manifest's folder, found \(quoted(text))")
      return nil
    }
    return text
  }
}
