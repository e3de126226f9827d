import AppleArchive
import AssetPacks

extension PackReport {
  /// The same for people: a few lines about the pack, then its entries. Paths are escaped, so that nothing in an
  /// archive can write to the terminal.
  package var text: String {
    var lines: [String] = []
    switch manifest {
    case .found(let manifest, _):
      lines.append("Asset pack     \(manifest.assetPackID.text)")
      lines.append("Policy         \(Self.describe(manifest.downloadPolicy))")
      let platforms = manifest.platforms.map(\.rawValue).joined(separator: ", ")
      lines.append("Platforms      \(platforms.isEmpty ? "all" : platforms)")
      if let language = manifest.language { lines.append("Language       \(language.text)") }
    case .missing, .ambiguous, .invalid:
      lines.append("Asset pack     no packaging manifest that can be read")
    }
    let container = inspection.container
    let blocks = container.codec == .none ? "" : ", blocks of \(container.blockSize) bytes"
    lines.append("Compression    \(container.codec.rawValue)\(blocks)")
    lines.append(
      "Content        \(inspection.files) files, \(inspection.directories) folders, \(inspection.links) links, "
        + "\(installSize) bytes installed")
    lines.append("")
    for entry in inspection.entries {
      let size = entry.type == .file ? "\(entry.size)" : "-"
      let padding = String(repeating: " ", count: max(1, 12 - size.count))
      let target = entry.linkTarget.map { " -> \($0.escaped)" } ?? ""
      lines.append(
        "\(padding)\(size)  \(entry.sha256?.prefix(16) ?? "                ")  \(entry.path.wholeEscaped)\(target)")
    }
    if !warnings.isEmpty { lines.append("") }
    for warning in warnings { lines.append("warning: \(warning.sentence)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func describe(_ policy: DownloadPolicy) -> String {
    switch policy {
    case .essential(let events), .prefetch(let events): "\(policy.name) (\(events.names.joined(separator: ", ")))"
    case .onDemand: policy.name
    }
  }
}
