import JSONText

extension ConfigurationKind {
  /// An array of values of one kind. An element that does not fit is named by its place.
  package static func list<Element: Sendable>(_ expectation: String, of kind: ConfigurationKind<Element>) -> Self
  where Value == [Element] {
    ConfigurationKind(expectation) { (json) throws(ConfigurationMisfit) in
      guard let elements = json.array else { throw .value }
      var list: [Element] = []
      var parts: [ConfigurationMisfit.Part] = []
      for (place, element) in elements.enumerated() {
        do throws(ConfigurationMisfit) {
          list.append(try kind.decode(element))
        } catch {
          parts += error.parts(of: element, expected: kind.expectation, at: JSONPath.root.appending(place))
        }
      }
      guard parts.isEmpty else { throw .parts(parts) }
      return list
    }
  }
}

extension ConfigurationKind where Value == [SocketAddress] {
  /// At least one address with its port, each once; port 0 may be repeated.
  package static var addresses: Self {
    let address = ConfigurationKind<SocketAddress>("an IP address or * with a port, such as \"127.0.0.1:8443\"") {
      (json) throws(ConfigurationMisfit) in
      guard let address = json.string.flatMap({ SocketAddress($0) }) else { throw .value }
      return address
    }
    let list = list(
      "an array of addresses with ports, such as \"127.0.0.1:8443\", \"[::1]:8443\" or \"*:443\"", of: address)
    return ConfigurationKind(list.expectation) { (json) throws(ConfigurationMisfit) in
      guard let elements = json.array, !elements.isEmpty else { throw .value }
      let repeated = repetitions(elements)
      let addresses: [SocketAddress]
      do throws(ConfigurationMisfit) {
        addresses = try list.decode(json)
      } catch {
        throw .parts(error.parts(of: json, expected: list.expectation, at: .root) + repeated)
      }
      guard repeated.isEmpty else { throw .parts(repeated) }
      return addresses
    }
  }

  private static func repetitions(_ elements: [JSONValue]) -> [ConfigurationMisfit.Part] {
    var seen: Set<SocketAddress> = []
    var parts: [ConfigurationMisfit.Part] = []
    for (place, element) in elements.enumerated() {
      guard let text = element.string, let address = SocketAddress(text), address.port != 0 else { continue }
      if seen.insert(address).inserted { continue }
      let problem = "expected each address once, found \(quoted(text)) again"
      parts.append(ConfigurationMisfit.Part(path: JSONPath.root.appending(place), problem: problem))
    }
    return parts
  }
}
