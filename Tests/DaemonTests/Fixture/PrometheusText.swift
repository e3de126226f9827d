import Foundation

/// A strict reader of Prometheus's text format, version 0.0.4: every line must be one that a scraper takes, and in the
/// order that the format asks for.
struct PrometheusText {
  struct Sample: Equatable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  struct Family {
    let name: String
    let help: String
    let type: String
    var samples: [Sample] = []
  }

  private(set) var families: [Family] = []

  /// Throws with the number of the line that is wrong.
  init(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("not UTF-8") }
    guard text.isEmpty || text.hasSuffix("\n") else { throw Failure("the last line does not end") }
    var help: (name: String, text: String)?
    for (index, line) in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      do {
        if line.hasPrefix("# HELP ") {
          guard help == nil else { throw Failure("HELP after HELP") }
          let (name, text) = try Self.words(line.dropFirst(7))
          try Self.check(escapes: text, of: ["\\", "n"])
          help = (name, text)
        } else if line.hasPrefix("# TYPE ") {
          let (name, type) = try Self.words(line.dropFirst(7))
          guard let known = help, known.name == name else { throw Failure("TYPE without HELP") }
          guard ["counter", "gauge", "histogram"].contains(type) else { throw Failure("unknown type \(type)") }
          guard !families.contains(where: { $0.name == name }) else { throw Failure("\(name) a second time") }
          families.append(Family(name: name, help: known.text, type: type))
          help = nil
        } else {
          guard help == nil, let family = families.indices.last else { throw Failure("a sample without its family") }
          try add(try Self.sample(String(line)), to: family)
        }
      } catch { throw Failure("line \(index + 1): \(error): \(line)") }
    }
    for family in families where family.type == "histogram" { try Self.check(histogram: family) }
  }

  /// The value of the only sample with these labels.
  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    let found = families.flatMap(\.samples).filter { sample in
      sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
    }
    return found.count == 1 ? found[0].value : nil
  }

  private mutating func add(_ sample: Sample, to index: Int) throws {
    let family = families[index]
    let names =
      family.type == "histogram" ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
    guard names.contains(sample.name) else { throw Failure("\(sample.name) in the family \(family.name)") }
    if family.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) {
      throw Failure("the same sample a second time")
    }
    if family.type == "counter", !family.name.hasSuffix("_total") { throw Failure("a counter without _total") }
    if family.type != "gauge", sample.value < 0 { throw Failure("a negative count") }
    families[index].samples.append(sample)
  }

  private static func words(_ text: Substring) throws -> (String, String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil else { throw Failure("a name") }
    return (String(parts[0]), String(parts[1]))
  }

  private static func check(escapes text: String, of allowed: Set<Character>) throws {
    var iterator = text.makeIterator()
    while let character = iterator.next() {
      if character == "\\" {
        guard let next = iterator.next(), allowed.contains(next) else { throw Failure("an escape") }
      }
    }
  }

  private static func sample(_ line: String) throws -> Sample {
    guard let match = line.wholeMatch(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.*)\})? ([^ ]+)/) else {
      throw Failure("no sample")
    }
    guard let value = Double(String(match.4).replacingOccurrences(of: "+Inf", with: "inf")), !value.isNaN else {
      throw Failure("a value")
    }
    var labels: [String: String] = [:]
    var rest = Substring(match.3 ?? "")
    while !rest.isEmpty {
      guard let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,(?=.)|$)/) else {
        throw Failure("a label")
      }
      guard labels.updateValue(unescaped(String(label.2)), forKey: String(label.1)) == nil else {
        throw Failure("a label a second time")
      }
      rest = rest[label.range.upperBound...]
    }
    return Sample(name: String(match.1), labels: labels, value: value)
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var iterator = text.makeIterator()
    while let character = iterator.next() {
      guard character == "\\" else {
        result.append(character)
        continue
      }
      let next = iterator.next() ?? "\\"
      result.append(next == "n" ? "\n" : next)
    }
    return result
  }

  private static func check(histogram family: Family) throws {
    let groups = Dictionary(grouping: family.samples) { sample in
      sample.labels.filter { $0.key != "le" }.map { "\($0)=\($1)" }.sorted().joined(separator: ",")
    }
    for (_, samples) in groups {
      let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
      let bounds = buckets.compactMap { Double(($0.labels["le"] ?? "").replacingOccurrences(of: "+Inf", with: "inf")) }
      guard bounds.count == buckets.count, bounds == bounds.sorted(), bounds.last == .infinity else {
        throw Failure("the bounds of \(family.name)")
      }
      guard buckets.map(\.value) == buckets.map(\.value).sorted(),
        buckets.last?.value == samples.first(where: { $0.name.hasSuffix("_count") })?.value,
        samples.contains(where: { $0.name.hasSuffix("_sum") })
      else { throw Failure("the buckets of \(family.name)") }
    }
  }
}
