import JSONText

/// Reads a manifest's document and collects every fault, where a single `throw` would hide all but the first. A hundred
/// are enough: each costs a search for its line, and a hostile document has many.
struct ManifestReading {
  let document: JSONDocument
  private(set) var faults: [ManifestFault] = []

  init(document: JSONDocument) { self.document = document }

  /// The fault of a text that is not JSON.
  static func fault(_ failure: JSONFailure) -> ManifestFault {
    ManifestFault(
      position: failure.position, path: .root, problem: "expected \(failure.expected), found \(failure.found)")
  }

  /// The faults in the order of the text.
  var sortedFaults: [ManifestFault] {
    faults.enumerated().sorted {
      ($0.element.position.line, $0.element.position.column, $0.offset)
        < ($1.element.position.line, $1.element.position.column, $1.offset)
    }.map(\.element)
  }

  mutating func note(_ path: JSONPath, _ problem: String) {
    guard faults.count < 100 else { return }
    faults.append(ManifestFault(position: document.nearestPosition(to: path), path: path, problem: problem))
  }

  /// Runs one getter; nil when it failed, and the failure is noted.
  mutating func attempt<Value>(_ read: @autoclosure () throws(JSONShapeFailure) -> Value) -> Value? {
    do {
      return try read()
    } catch {
      note(error.path, error.detail)
      return nil
    }
  }

  mutating func object(_ cursor: JSONCursor, allowing keys: [String]) -> JSONObjectCursor? {
    guard let object = attempt(try cursor.object()) else { return nil }
    for failure in object.unknownKeys(allowing: keys) { note(failure.path, failure.detail) }
    return object
  }

  mutating func array(_ cursor: JSONCursor) -> [JSONCursor]? {
    attempt(try cursor.array())
  }

  mutating func integer(_ cursor: JSONCursor, in range: ClosedRange<Int>) -> Int? {
    attempt(try cursor.integer(in: range))
  }

  /// An object with any members.
  mutating func anyObject(_ cursor: JSONCursor) -> JSONObject? { attempt(try cursor.object().object) }

  mutating func string(_ cursor: JSONCursor) -> String? {
    attempt(try cursor.string())
  }

  mutating func required(_ object: JSONObjectCursor, _ key: String, _ expected: String) -> JSONCursor? {
    attempt(try object.required(key, expected: expected))
  }

  /// Makes a value of the domain from a string; nil when it is not one, and the reason is noted.
  mutating func value<Value>(
    _ cursor: JSONCursor, _ make: (String) throws(AssetPackFailure) -> Value
  ) -> Value? {
    guard let text = string(cursor) else { return nil }
    do {
      return try make(text)
    } catch {
      note(cursor.path, error.sentence)
      return nil
    }
  }
}
