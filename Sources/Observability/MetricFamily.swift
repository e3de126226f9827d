/// One metric with all its samples, in Prometheus's sense.
package struct MetricFamily: Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  /// One number with the labels that distinguish it within its family.
  package struct Sample: Sendable {
    /// Appended to the family's name: `_bucket`, `_sum` and `_count` of histograms.
    let suffix: String
    let labels: [(name: String, value: String)]
    let value: String

    package init(_ labels: [(name: String, value: String)], _ value: Int) {
      self.init(suffix: "", labels, "\(value)")
    }

    package init(_ labels: [(name: String, value: String)], _ value: Double) {
      self.init(suffix: "", labels, "\(value)")
    }

    /// The only sample of its family.
    package init(_ value: Int) { self.init([], value) }

    /// The only sample of its family.
    package init(_ value: Double) { self.init([], value) }

    init(suffix: String, _ labels: [(name: String, value: String)], _ value: String) {
      self.suffix = suffix
      self.labels = labels
      self.value = value
    }
  }

  package let name: String
  package let kind: Kind
  /// One sentence.
  package let help: String
  package let samples: [Sample]

  package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  /// What one histogram has counted.
  package struct Distribution: Sendable {
    package var labels: [(name: String, value: String)]
    /// For each bound the observations up to it that no lower bound has, and one more for those above all bounds.
    package var counts: [Int]
    package var sum: Double

    package init(labels: [(name: String, value: String)], counts: [Int], sum: Double) {
      self.labels = labels
      self.counts = counts
      self.sum = sum
    }
  }

  /// A histogram. `bounds` rise and are in the unit of the name.
  package static func histogram(
    _ name: String, _ help: String, bounds: [Double], _ distributions: [Distribution]
  ) -> MetricFamily {
    var samples: [Sample] = []
    for distribution in distributions {
      var total = 0
      for (index, count) in distribution.counts.enumerated() {
        total += count
        let bound = index < bounds.count ? "\(bounds[index])" : "+Inf"
        samples.append(Sample(suffix: "_bucket", distribution.labels + [("le", bound)], "\(total)"))
      }
      samples.append(Sample(suffix: "_sum", distribution.labels, "\(distribution.sum)"))
      samples.append(Sample(suffix: "_count", distribution.labels, "\(total)"))
    }
    return MetricFamily(name, .histogram, help, samples)
  }
}

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
