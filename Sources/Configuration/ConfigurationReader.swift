import JSONText
import Values

/// Reads a document by a table of keys and notes every fault.
struct ConfigurationReader<Settings: Sendable> {
  private let document: JSONDocument
  private let table: ConfigurationTable<Settings>
  private(set) var faults: [ConfigurationFailure.Fault] = []

  init(document: JSONDocument, table: ConfigurationTable<Settings>) {
    self.document = document
    self.table = table
  }

  /// Writes what the file says over the defaults that `settings` has.
  mutating func read(into settings: inout Settings) {
    checkNames(JSONCursor(document.root), prefix: "")
    for key in table.keys { checkPresence(key) }
    var keys = GivenKeys<Settings>()
    for key in table.keys {
      let path = Self.path(key.keyPath)
      guard let value = document.root[path] else { continue }
      keys.given.insert(key.place)
      do throws(ConfigurationMisfit) {
        try key.write(value, &settings)
      } catch {
        keys.refused.insert(key.place)
        for part in error.parts(of: value, expected: key.expectation, at: path) { note(part.path, part.problem) }
      }
    }
    for rule in table.rules {
      guard let key = table.keys.first(where: { $0.place == rule.place }) else { continue }
      if let problem = rule.problem(settings, keys) { note(Self.path(key.keyPath), problem) }
    }
  }

  /// The faults in the order of the text.
  var sortedFaults: [ConfigurationFailure.Fault] {
    faults.enumerated().sorted {
      ($0.element.position.line, $0.element.position.column, $0.offset)
        < ($1.element.position.line, $1.element.position.column, $1.offset)
    }.map(\.element)
  }

  /// Notes a fault; a hundred are enough, since each costs a search for its line.
  private mutating func note(_ path: JSONPath, _ problem: String) {
    guard faults.count < 100 else { return }
    let fault = ConfigurationFailure.Fault(
      position: document.nearestPosition(to: path), keyPath: path.keyPath, problem: problem)
    if !faults.contains(fault) { faults.append(fault) }
  }

  /// Notes sections that are not objects, and unknown keys.
  private mutating func checkNames(_ cursor: JSONCursor, prefix: String) {
    guard case .object(let object) = cursor.value else {
      note(cursor.path, "expected an object, found \(cursor.value.shown)")
      return
    }
    var known: [String] = []
    var sections: Set<String> = []
    for key in table.keys where key.keyPath.hasPrefix(prefix) {
      let rest = key.keyPath.dropFirst(prefix.count).split(separator: ".")
      guard let name = rest.first.map(String.init) else { continue }
      if rest.count > 1 { sections.insert(name) }
      if !known.contains(name) { known.append(name) }
    }
    for failure in JSONObjectCursor(object, path: cursor.path).unknownKeys(allowing: known) {
      note(failure.path, failure.detail)
    }
    for member in object.members where sections.contains(member.key) {
      checkNames(JSONCursor(member.value, path: cursor.path.appending(member.key)), prefix: prefix + member.key + ".")
    }
  }

  private mutating func checkPresence(_ key: ConfigurationKey<Settings>) {
    switch key.absence {
    case .value, .nothing: return
    case .required: break
    case .requiredIn(let section): guard document.root[Self.path(section)]?.object != nil else { return }
    }
    // A section that is not an object has already been noted.
    let path = Self.path(key.keyPath)
    guard document.root.object != nil, document.root[path] == nil else { return }
    if let parent = document.root[path.parent], parent.object == nil { return }
    note(path, "this key is required: expected \(key.expectation), found nothing")
  }

  private static func path(_ keyPath: String) -> JSONPath {
    JSONPath(keyPath.split(separator: ".").map { .key(String($0)) })
  }
}
