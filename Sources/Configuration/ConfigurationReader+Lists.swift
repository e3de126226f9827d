import JSONText

// Lists and flags of the configuration.
extension ConfigurationReader {
  mutating func flag(_ keyPath: String) -> Bool {
    guard let (value, key) = value(keyPath) else { return false }
    guard case .bool(let flag) = value else {
      refuse(value, key)
      return false
    }
    return flag
  }

  /// Addresses and networks; each is at least plausible.
  mutating func networks(_ keyPath: String) -> [String] {
    var networks: [String] = []
    for (path, element) in elements(keyPath) {
      guard case .string(let text) = element, Self.isPlausibleNetwork(text) else {
        note(
          path,
          "expected an IP address or a network such as \"10.0.0.0/8\" or \"2001:db8::/32\", "
            + "found \(Self.show(element))")
        continue
      }
      networks.append(text)
    }
    return networks
  }

  /// Host names; what they may be is checked where they are used.
  mutating func hosts(_ keyPath: String) -> [String] {
    var hosts: [String] = []
    for (path, element) in elements(keyPath) {
      guard case .string(let text) = element, !text.isEmpty, !text.contains("/"), !text.utf8.contains(0) else {
        note(path, "expected a host name such as \"hooks.example.com\", found \(Self.show(element))")
        continue
      }
      hosts.append(text)
    }
    return hosts
  }

  mutating func certificates(_ keyPath: String) -> [Configuration.CertificateFiles] {
    var files: [Configuration.CertificateFiles] = []
    for (path, element) in elements(keyPath) {
      guard let object = element.object else {
        note(path, "expected an object with certificate and privateKey, found \(Self.show(element))")
        continue
      }
      for failure in JSONObjectCursor(object, path: path).unknownKeys(allowing: ["certificate", "privateKey"]) {
        note(failure.path, failure.detail)
      }
      let certificate = file(object, "certificate", path)
      let privateKey = file(object, "privateKey", path)
      guard let certificate, let privateKey else { continue }
      files.append(Configuration.CertificateFiles(certificate: certificate, privateKey: privateKey))
    }
    return files
  }

  private mutating func file(_ object: JSONObject, _ name: String, _ path: JSONPath) -> String? {
    let path = path.appending(name)
    switch object[name] {
    case .string(let text)? where !text.isEmpty && !text.utf8.contains(0): return text
    case let value?: note(path, "expected a path, found \(Self.show(value))")
    case nil: note(path, "this key is required: expected a path, found nothing")
    }
    return nil
  }

  private mutating func elements(_ keyPath: String) -> [(JSONPath, JSONValue)] {
    guard let (value, key) = value(keyPath) else { return [] }
    guard case .array(let elements) = value else {
      refuse(value, key)
      return []
    }
    return elements.enumerated().map { (Self.path(keyPath).appending($0.offset), $0.element) }
  }

  /// inet_pton(3) has the last word.
  private static func isPlausibleNetwork(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first else { return false }
    let isIPv6 = name.contains(":")
    guard let address = SocketAddress(isIPv6 ? "[\(name)]:0" : "\(name):0"), address.host != .any else { return false }
    guard parts.count == 2 else { return true }
    guard let length = Int(parts[1]), String(length) == parts[1] else { return false }
    return (0...(isIPv6 ? 128 : 32)).contains(length)
  }
}
