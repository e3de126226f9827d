import JSONText
import Values

/// Reads values by key path, notes every fault, and falls back to the defaults of the key table.
struct ConfigurationReader {
  let document: JSONDocument
  private(set) var faults: [ConfigurationFailure.Fault] = []

  init(document: JSONDocument) {
    self.document = document
    checkKeys(JSONCursor(document.root), prefix: "")
    for key in ConfigurationKey.all where key.defaultText == nil { checkPresence(key) }
  }

  /// Notes a fault; a hundred are enough, since each costs a search for its line.
  mutating func note(_ path: JSONPath, _ problem: String) {
    guard faults.count < 100 else { return }
    let fault = ConfigurationFailure.Fault(
      position: document.nearestPosition(to: path), keyPath: path.keyPath, problem: problem)
    if !faults.contains(fault) { faults.append(fault) }
  }

  /// The faults in the order of the text.
  var sortedFaults: [ConfigurationFailure.Fault] {
    faults.enumerated().sorted {
      ($0.element.position.line, $0.element.position.column, $0.offset)
        < ($1.element.position.line, $1.element.position.column, $1.offset)
    }.map(\.element)
  }

  /// Whether the object `section` is there.
  func hasSection(_ section: String) -> Bool { document.root[Self.path(section)]?.object != nil }

  mutating func text(_ keyPath: String) -> String? {
    guard let (value, key) = value(keyPath) else { return nil }
    guard case .string(let text) = value, isAcceptable(text, key.kind) else {
      refuse(value, key)
      return nil
    }
    return text
  }

  mutating func bytes(_ keyPath: String) -> ByteCount {
    guard let (value, key) = value(keyPath) else { return ByteCount(bytes: 0) }
    let count: ByteCount? =
      switch value {
      case .string(let text): ByteCount(text)
      case .number(let number): number.int.map { ByteCount(bytes: $0) }
      default: nil
      }
    guard let count, case .bytes(let range) = key.kind, range.contains(count.bytes) else {
      refuse(value, key)
      return ByteCount(bytes: 0)
    }
    return count
  }

  mutating func time(_ keyPath: String) -> TimeSpan {
    guard let (value, key) = value(keyPath) else { return TimeSpan(milliseconds: 0) }
    guard case .string(let text) = value, let span = TimeSpan(text), case .time(let range) = key.kind,
      range.contains(span.milliseconds)
    else {
      refuse(value, key)
      return TimeSpan(milliseconds: 0)
    }
    return span
  }

  mutating func integer(_ keyPath: String) -> Int {
    guard let (value, key) = value(keyPath) else { return 0 }
    guard let integer = value.int, case .integer(let range) = key.kind, range.contains(integer) else {
      refuse(value, key)
      return 0
    }
    return integer
  }

  mutating func addresses(_ keyPath: String) -> [SocketAddress] {
    guard let (value, key) = value(keyPath) else { return [] }
    guard case .array(let elements) = value, !elements.isEmpty else {
      refuse(value, key)
      return []
    }
    var addresses: [SocketAddress] = []
    for (place, element) in elements.enumerated() {
      let path = Self.path(keyPath).appending(place)
      guard case .string(let text) = element, let address = SocketAddress(text) else {
        note(path, "expected an IP address or * with a port, such as \"127.0.0.1:8443\", found \(Self.show(element))")
        continue
      }
      if address.port != 0, addresses.contains(address) {
        note(path, "expected each address once, found \(quoted(text)) again")
      }
      addresses.append(address)
    }
    return addresses
  }

  /// The value in the file, or else the default; nil when there is neither.
  func value(_ keyPath: String) -> (JSONValue, ConfigurationKey)? {
    guard let key = ConfigurationKey.all.first(where: { $0.keyPath == keyPath }) else { return nil }
    if let value = document.root[Self.path(keyPath)] { return (value, key) }
    guard let text = key.defaultText, let value = try? JSONParser.parse(text).root else { return nil }
    return (value, key)
  }

  mutating func refuse(_ value: JSONValue, _ key: ConfigurationKey) {
    note(Self.path(key.keyPath), "expected \(key.kind.expectation), found \(Self.show(value))")
  }

  private func isAcceptable(_ text: String, _ kind: ConfigurationKey.Kind) -> Bool {
    guard !text.isEmpty, !text.utf8.contains(0) else { return false }
    switch kind {
    case .choice(let names): return names.contains(text)
    case .httpsURL:
      let rest = text.dropFirst(8)
      let isPlain = rest.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
      }
      return text.prefix(8).lowercased() == "https://" && isPlain && !rest.isEmpty && !rest.hasPrefix("/")
    default: return true
    }
  }

  /// Notes sections that are no objects, and keys that nobody knows.
  private mutating func checkKeys(_ cursor: JSONCursor, prefix: String) {
    guard case .object(let object) = cursor.value else {
      note(cursor.path, "expected an object, found \(Self.show(cursor.value))")
      return
    }
    var known: [String] = []
    var sections: Set<String> = []
    for key in ConfigurationKey.all where key.keyPath.hasPrefix(prefix) {
      let rest = key.keyPath.dropFirst(prefix.count).split(separator: ".")
      guard let name = rest.first.map(String.init) else { continue }
      if rest.count > 1 { sections.insert(name) }
      if !known.contains(name) { known.append(name) }
    }
    for failure in JSONObjectCursor(object, path: cursor.path).unknownKeys(allowing: known) {
      note(failure.path, failure.detail)
    }
    for member in object.members where sections.contains(member.key) {
      checkKeys(JSONCursor(member.value, path: cursor.path.appending(member.key)), prefix: prefix + member.key + ".")
    }
  }

  private mutating func checkPresence(_ key: ConfigurationKey) {
    let path = Self.path(key.keyPath)
    let section = ConfigurationKey.optionalSections.first { key.keyPath.hasPrefix($0 + ".") }
    if let section, !hasSection(section) { return }
    // A section that is no object has been noted already.
    guard document.root.object != nil, document.root[path] == nil else { return }
    if let parent = document.root[path.parent], parent.object == nil { return }
    note(path, "this key is required: expected \(key.kind.expectation), found nothing")
  }

  static func path(_ keyPath: String) -> JSONPath { JSONPath(keyPath.split(separator: ".").map { .key(String($0)) }) }

  static func show(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .number(let number): String(number.literal.prefix(40))
    case .array([]): "an empty array"
    default: value.kind
    }
  }
}
