import AppleArchive
import JSONText

extension PackComparison {
  /// For people: `+` added, `-` removed, `~` changed, then what an update costs a device.
  package var text: String {
    var lines: [String] = []
    for change in manifest {
      lines.append("~ Manifest.json  \(change.key): \(Self.text(change.old)) -> \(Self.text(change.new))")
    }
    for change in added { lines.append("+ \(change.path.escaped)  \(change.newSize ?? 0) bytes") }
    for change in removed { lines.append("- \(change.path.escaped)  \(change.oldSize ?? 0) bytes") }
    for change in changed {
      let what = change.isModeOnly ? "executable or not" : "\(change.oldSize ?? 0) -> \(change.newSize ?? 0) bytes"
      lines.append("~ \(change.path.escaped)  \(what)")
    }
    if !lines.isEmpty { lines.append("") }
    lines.append(
      "\(added.count) added, \(removed.count) removed, \(changed.count) changed, \(unchangedFiles) unchanged")
    if isEqual {
      lines.append(
        hasSameBytes
          ? "The archives are the same byte for byte."
          : "Content and manifest are equal, but the archives differ in their bytes: published as a new version, "
            + "every device would download \(downloadSize) bytes for nothing.")
    } else {
      lines.append(
        "An update downloads \(downloadSize) bytes; \(changedBytes) bytes of content are new or other than before.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// For programs; paths are as they stand in the archives.
  package var json: JSONValue {
    [
      "equal": .bool(isEqual), "sameBytes": .bool(hasSameBytes), "added": .array(added.map(Self.json)),
      "removed": .array(removed.map(Self.json)), "changed": .array(changed.map(Self.json)),
      "unchangedFiles": .integer(unchangedFiles),
      "manifest": .array(
        manifest.map { ["key": .string($0.key), "old": $0.old ?? .null, "new": $0.new ?? .null] }),
      "downloadSize": .integer(downloadSize), "changedSize": .integer(changedBytes),
    ]
  }

  private static func json(_ change: Change) -> JSONValue {
    var object = JSONObject([("path", .string(change.path.text))])
    if let size = change.oldSize { object.set("oldSize", .integer(size)) }
    if let size = change.newSize { object.set("newSize", .integer(size)) }
    if change.isModeOnly { object.set("modeOnly", true) }
    return .object(object)
  }

  private static func text(_ value: JSONValue?) -> String { value.map { escaped($0.text()) } ?? "none" }
}
