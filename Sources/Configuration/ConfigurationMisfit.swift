import JSONText
import Values

/// Why a value does not fit its kind.
package enum ConfigurationMisfit: Error {
  /// It is not what the kind's `expectation` says.
  case value
  /// It is, but still cannot be used: the whole sentence.
  case problem(String)
  /// Parts of it do not fit.
  case parts([Part])

  /// A part of a value that does not fit.
  package struct Part: Sendable {
    /// The way to it from the value; the root is the value itself.
    package let path: JSONPath
    package let problem: String

    package init(path: JSONPath, problem: String) {
      self.path = path
      self.problem = problem
    }
  }

  /// What is wrong with `value` at `path`, in sentences.
  package func parts(of value: JSONValue, expected: String, at path: JSONPath) -> [Part] {
    switch self {
    case .value: [Part(path: path, problem: "expected \(expected), found \(value.shown)")]
    case .problem(let problem): [Part(path: path, problem: problem)]
    case .parts(let parts):
      parts.map { Part(path: JSONPath(path.components + $0.path.components), problem: $0.problem) }
    }
  }
}

extension JSONValue {
  /// The value as messages show it.
  package var shown: String {
    switch self {
    case .string(let text): quoted(text)
    case .number(let number): String(number.literal.prefix(40))
    case .array([]): "an empty array"
    default: kind
    }
  }
}
