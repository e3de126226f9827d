/// Prometheus's text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
package enum MetricsText {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// Writes the families that have samples, one behind the other.
  package static func render(_ families: [MetricFamily]) -> [UInt8] {
    var text: [UInt8] = []
    for family in families where !family.samples.isEmpty {
      text += Array("# HELP \(family.name) \(escape(family.help, quotes: false))\n".utf8)
      text += Array("# TYPE \(family.name) \(family.kind.rawValue)\n".utf8)
      for sample in family.samples {
        text += Array("\(family.name)\(sample.suffix)".utf8)
        if !sample.labels.isEmpty {
          let labels = sample.labels.map { "\($0.name)=\"\(escape($0.value, quotes: true))\"" }
          text += Array("{\(labels.joined(separator: ","))}".utf8)
        }
        text += Array(" \(sample.value)\n".utf8)
      }
    }
    return text
  }

  /// Backslash and line feed are escaped everywhere, quotes in label values only.
  private static func escape(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
