import JSONText
import Values

/// The hosts an app may download from (`BADownloadDomainAllowList`): DNS names, `*.` before a name for one or more
/// labels but never the name itself, and IP addresses literally. Ports and a trailing dot do not count, nor does
/// letter case.
package struct DomainAllowList: Equatable, Sendable {
  /// One entry that is wrong.
  package struct Fault: Equatable, Sendable {
    /// The entry's place, from 0; nil when the list as a whole is wrong.
    package let index: Int?
    package let entry: String
    package let problem: String

    package var sentence: String {
      index == nil ? problem : "\(quoted(entry)) is not an entry of a domain allow-list: \(problem)"
    }
  }

  /// The most entries of a list.
  package static let maximumCount = 200

  /// The entries in clean form, in order, each once.
  package let entries: [String]
  private let exact: Set<HostName>
  /// The wildcards' names with the dot in front: `.example.com`.
  private let suffixes: [String]

  /// - Throws: `AssetPackFailure.domainAllowList` with every entry that is wrong.
  package init(_ texts: [String]) throws(AssetPackFailure) {
    if texts.count > Self.maximumCount {
      let problem = "the domain allow-list has \(texts.count) entries, expected at most \(Self.maximumCount)"
      throw .domainAllowList([Fault(index: nil, entry: "", problem: problem)])
    }
    var faults: [Fault] = []
    var entries: [String] = []
    var exact: Set<HostName> = []
    var suffixes: [String] = []
    for (index, text) in texts.enumerated() {
      let isWildcard = text.hasPrefix("*.")
      let name = isWildcard ? String(text.dropFirst(2)) : text
      // People write IPv6 addresses with and without brackets.
      guard let host = HostName(authority: name) ?? HostName(authority: "[\(name)]") else {
        faults.append(Fault(index: index, entry: text, problem: Self.problem(of: text)))
        continue
      }
      var clean = host.text
      if isWildcard {
        guard case .dns(let suffix) = host else {
          faults.append(Fault(index: index, entry: text, problem: "a wildcard stands before a name, not an address"))
          continue
        }
        clean = "*." + suffix
        suffixes.append("." + suffix)
      } else {
        exact.insert(host)
      }
      if !entries.contains(clean) { entries.append(clean) }
    }
    if texts.isEmpty {
      faults.append(
        Fault(index: nil, entry: "", problem: "the domain allow-list is empty, expected at least the manifest's host"))
    }
    guard faults.isEmpty else { throw .domainAllowList(faults) }
    self.entries = entries
    self.exact = exact
    self.suffixes = suffixes
  }

  /// Whether `host` (with or without port, as in a Host field) is allowed. False for what is not a host.
  package func matches(host: String) -> Bool {
    guard let host = HostName(authority: host) else { return false }
    return matches(host)
  }

  /// Whether the host is allowed.
  package func matches(_ host: HostName) -> Bool {
    if exact.contains(host) { return true }
    guard case .dns(let name) = host else { return false }
    return suffixes.contains { name.utf8.count > $0.utf8.count && name.hasSuffix($0) }
  }

  private static func problem(of text: String) -> String {
    if text.isEmpty { return "it is empty, expected a host such as packs.example.com" }
    if text.contains("://") { return "expected the host alone, found a URL" }
    if text.contains("/") { return "expected the host alone, found a path" }
    if text == "*" { return "expected a name after the wildcard, as in *.example.com" }
    if text.contains("*") { return "a wildcard stands only as the whole first label, as in *.example.com" }
    if text.utf8.contains(where: { $0 >= 0x80 }) {
      return "expected the name's A-labels (xn--…), found letters beyond ASCII"
    }
    if text.utf8.count > 253 { return "expected at most 253 characters" }
    return "expected labels of letters, digits and hyphens between dots, or an IP address"
  }
}
