import JSONText
import Values

/// Why a value is not valid in the domain.
package enum AssetPackFailure: Error, Equatable, Sendable {
  case assetPackID(String, problem: String)
  case bundleID(String, problem: String)
  case versionNumber(String)
  case languageTag(String, problem: String)
  case globPattern(String, problem: String)
  case publicBaseURL(String, problem: String)
  /// Every entry that is wrong, with its reason.
  case domainAllowList([DomainAllowList.Fault])
  /// Every fault of a packaging manifest, in the order of the text.
  case packagingManifest([ManifestFault])
  /// Every fault of a download manifest, in the order of the text.
  case downloadManifest([ManifestFault])
  /// The same pack twice in one download manifest.
  case duplicatePack(AssetPackID)
  /// A Steam depot build script that cannot be read, or says what a packaging manifest cannot express; lines count from
  /// 1.
  case depotScript(line: Int, problem: String)

  /// The whole reason in words, without a full stop; faults of a document are on lines of their own.
  package var sentence: String {
    switch self {
    case .assetPackID(let text, let problem): "\(quoted(text)) is not an asset pack ID: \(problem)"
    case .bundleID(let text, let problem): "\(quoted(text)) is not a bundle ID: \(problem)"
    case .versionNumber(let text):
      "\(quoted(text)) is not a version number: expected an integer from 1 to \(VersionNumber.maximum)"
    case .languageTag(let text, let problem): "\(quoted(text)) is not a language tag: \(problem)"
    case .globPattern(let text, let problem): "\(quoted(text)) is not a file pattern: \(problem)"
    case .publicBaseURL(let text, let problem): "\(quoted(text)) is not a public base URL: \(problem)"
    case .domainAllowList(let faults): faults.map(\.sentence).joined(separator: "\n")
    case .packagingManifest(let faults), .downloadManifest(let faults):
      faults.map(\.sentence).joined(separator: "\n")
    case .duplicatePack(let id): "the asset pack \(quoted(id.text)) is listed twice in the manifest; expected each once"
    case .depotScript(let line, let problem): "line \(line): \(problem)"
    }
  }

  /// The faults of a manifest; empty for everything else.
  package var manifestFaults: [ManifestFault] {
    switch self {
    case .packagingManifest(let faults), .downloadManifest(let faults): faults
    case .assetPackID, .bundleID, .versionNumber, .languageTag, .globPattern, .publicBaseURL, .domainAllowList,
      .duplicatePack, .depotScript:
      []
    }
  }
}

/// One thing that is wrong in a manifest.
package struct ManifestFault: Equatable, Sendable {
  /// The position of the value, or of the object that lacks it.
  package let position: TextPosition
  /// The value's path; the root when the text is not JSON.
  package let path: JSONPath
  /// What is wrong, and what was expected.
  package let problem: String

  package init(position: TextPosition, path: JSONPath, problem: String) {
    self.position = position
    self.path = path
    self.problem = problem
  }

  /// "line 3, column 5: fileSelectors[0].file: …"
  package var sentence: String {
    let place = path.keyPath
    return "\(position): " + (place.isEmpty ? problem : "\(place): \(problem)")
  }
}
