import Values

/// One key of the configuration file: the parser, the reference and the messages all come from this description.
struct ConfigurationKey: Sendable {
  enum Kind: Sendable {
    case path
    case httpsURL
    case text
    case choice([String])
    case accessLog
    case addresses
    case certificates
    case networks
    case hosts
    case flag
    case bytes(ClosedRange<Int>)
    case time(ClosedRange<Int>)
    case integer(ClosedRange<Int>)

    /// What is expected, for messages and for the reference.
    var expectation: String {
      switch self {
      case .path: "a path"
      case .httpsURL: "an https URL"
      case .text: "a text"
      case .choice(let names): "one of " + names.map { "\"\($0)\"" }.joined(separator: ", ")
      case .accessLog: "\"off\", \"stderr\" or a path"
      case .addresses: "an array of addresses with ports, such as \"127.0.0.1:8443\", \"[::1]:8443\" or \"*:443\""
      case .certificates: "an array of objects, each with the paths `certificate` and `privateKey`"
      case .networks: "an array of addresses and networks, such as \"10.0.0.0/8\" or \"2001:db8::1\""
      case .hosts: "an array of host names, such as \"hooks.example.com\" or \"*.example.com\""
      case .flag: "true or false"
      case .bytes(let range):
        "a size from \(ByteCount(bytes: range.lowerBound)) to \(ByteCount(bytes: range.upperBound)), such as \"16 KiB\""
      case .time(let range):
        "a time from \(TimeSpan(milliseconds: range.lowerBound)) to \(TimeSpan(milliseconds: range.upperBound)), "
          + "such as \"30 s\""
      case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
      }
    }
  }

  /// "limits.requestHead"
  let keyPath: String
  let kind: Kind
  /// The default as it would be written in the file, or a sentence when it is no constant; nil when the key is
  /// required.
  let defaultText: String?
  /// What the key does.
  let summary: String

  init(_ keyPath: String, _ kind: Kind, default defaultText: String?, _ summary: String) {
    self.keyPath = keyPath
    self.kind = kind
    self.defaultText = defaultText
    self.summary = summary
  }

  /// Objects that may be left out as a whole, also when they have required keys.
  static let optionalSections = ["developmentOverride"]
}
