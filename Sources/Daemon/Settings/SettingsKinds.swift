import AssetPacks
import Configuration
import EventLoop
import HTTPServer
import JSONText
import Observability

// Kinds of values whose types only the daemon knows.

extension ConfigurationKind where Value == String {
  /// The address at which devices reach the server, without a trailing slash.
  static var publicBaseURL: Self {
    let url = ConfigurationKind.httpsURL
    return ConfigurationKind(url.expectation) { (json) throws(ConfigurationMisfit) in
      let text = try url.decode(json)
      do throws(AssetPackFailure) { return try PublicBaseURL(text).text } catch { throw .problem(error.sentence) }
    }
  }

  static var bundleID: Self {
    let text = ConfigurationKind.text
    return ConfigurationKind(text.expectation) { (json) throws(ConfigurationMisfit) in
      let text = try text.decode(json)
      do throws(AssetPackFailure) { return try BundleID(text).text } catch { throw .problem(error.sentence) }
    }
  }
}

extension ConfigurationKind where Value == [HTTPServer.Binding] {
  static var bindings: Self {
    let addresses = ConfigurationKind<[SocketAddress]>.addresses
    return ConfigurationKind(addresses.expectation) { (json) throws(ConfigurationMisfit) in
      try addresses.decode(json).map { address in
        let host =
          switch address.host {
          case .any: "*"
          case .ipv4(let text), .ipv6(let text): text
          }
        return HTTPServer.Binding(host: host, port: address.port)
      }
    }
  }
}

extension ConfigurationKind where Value == [CertificateFiles] {
  static var certificates: Self {
    let files = ConfigurationKind<CertificateFiles>("an object with certificate and privateKey") {
      (json) throws(ConfigurationMisfit) in
      guard let object = json.object else { throw .value }
      var parts = JSONObjectCursor(object, path: .root).unknownKeys(allowing: ["certificate", "privateKey"]).map {
        ConfigurationMisfit.Part(path: $0.path, problem: $0.detail)
      }
      func path(_ name: String) -> String {
        let (kind, path) = (ConfigurationKind<String>.path, JSONPath([.key(name)]))
        guard let value = object[name] else {
          parts.append(
            .init(path: path, problem: "this key is required: expected \(kind.expectation), found nothing"))
          return ""
        }
        do throws(ConfigurationMisfit) { return try kind.decode(value) } catch {
          parts += error.parts(of: value, expected: kind.expectation, at: path)
          return ""
        }
      }
      let files = CertificateFiles(certificate: path("certificate"), privateKey: path("privateKey"))
      guard parts.isEmpty else { throw .parts(parts) }
      return files
    }
    return list("an array of objects, each with the paths `certificate` and `privateKey`", of: files)
  }
}

extension ConfigurationKind where Value == [AddressRange] {
  static var networks: Self {
    let network = ConfigurationKind<AddressRange>(
      "an IP address or a network such as \"10.0.0.0/8\" or \"2001:db8::/32\""
    ) { (json) throws(ConfigurationMisfit) in
      guard let text = json.string else { throw .value }
      if let range = AddressRange(text) { return range }
      // A network with bits set after its prefix is most likely a typo.
      guard isNetwork(text) else { throw .value }
      throw .problem("expected an IP address or a network with no bits set after its prefix, found \(json.shown)")
    }
    return list("an array of addresses and networks, such as \"10.0.0.0/8\" or \"2001:db8::1\"", of: network)
  }

  /// Whether it is an address with a prefix that is not too long, whatever bits are set.
  private static func isNetwork(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, AddressRange(String(parts[0])) != nil, let length = Int(parts[1]),
      String(length) == parts[1]
    else { return false }
    return (0...(parts[0].contains(":") ? 128 : 32)).contains(length)
  }
}

extension ConfigurationKind where Value == DomainAllowList? {
  /// Host names, with wildcards; an empty array is no list.
  static var hosts: Self {
    let host = ConfigurationKind<String>("a host name such as \"hooks.example.com\"") {
      (json) throws(ConfigurationMisfit) in
      guard let text = json.string, !text.isEmpty, !text.contains("/"), !text.utf8.contains(0) else { throw .value }
      return text
    }
    let hosts = ConfigurationKind<[String]>.list(
      "an array of host names, such as \"hooks.example.com\" or \"*.example.com\"", of: host)
    return ConfigurationKind(hosts.expectation) { (json) throws(ConfigurationMisfit) in
      let names = try hosts.decode(json)
      if names.isEmpty { return nil }
      do throws(AssetPackFailure) { return try DomainAllowList(names) } catch { throw .problem(error.sentence) }
    }
  }
}

extension ConfigurationKind where Value == AccessLog.Destination? {
  static var accessLog: Self {
    let text = ConfigurationKind<String>.text("\"off\", \"stderr\" or a path")
    return ConfigurationKind(text.expectation) { (json) throws(ConfigurationMisfit) in
      switch try text.decode(json) {
      case "off": nil
      case "stderr": .standardError
      case let path: .file(path)
      }
    }
  }
}

extension ConfigurationKind where Value == Log.Level {
  static var logLevel: Self {
    choice([("error", .error), ("warning", .warning), ("info", .info), ("debug", .debug)])
  }
}
