/// The members of a JSON object in the order they were written or added. No key is there twice.
///
/// Keys are compared as Swift compares strings: canonically equivalent spellings of a letter are the same key.
package struct JSONObject: Sendable {
  /// A key with its value.
  package struct Member: Sendable, Equatable {
    package let key: String
    package var value: JSONValue
  }

  /// The members in order.
  package private(set) var members: [Member] = []
  /// Places by key, kept only for objects with more members than a linear search is good for.
  private var places: [String: Int] = [:]
  private static let indexedFrom = 24

  package init() {}

  /// Members from pairs; a key that comes twice keeps its first place and its last value.
  package init(_ pairs: [(String, JSONValue)]) {
    for (key, value) in pairs { set(key, value) }
  }

  /// How many members there are.
  package var count: Int { members.count }
  /// Whether there are no members.
  package var isEmpty: Bool { members.isEmpty }
  /// The keys in order.
  package var keys: [String] { members.map(\.key) }

  /// The value of `key`; nil when there is no such member (a member that is null gives `.null`).
  package subscript(_ key: String) -> JSONValue? { place(of: key).map { members[$0].value } }

  /// The place of `key` among the members.
  package func place(of key: String) -> Int? {
    members.count < Self.indexedFrom ? members.firstIndex { $0.key == key } : places[key]
  }

  /// Replaces the value of `key` in its place, or adds the member at the end.
  package mutating func set(_ key: String, _ value: JSONValue) {
    if let place = place(of: key) {
      members[place].value = value
    } else {
      add(key, value)
    }
  }

  /// Adds a member at the end; false, and nothing changes, when the key is there already.
  @discardableResult
  package mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    guard place(of: key) == nil else { return false }
    add(key, value)
    return true
  }

  /// Takes a member out.
  package mutating func remove(_ key: String) {
    guard let place = place(of: key) else { return }
    members.remove(at: place)
    rebuildPlaces()
  }

  private mutating func add(_ key: String, _ value: JSONValue) {
    members.append(Member(key: key, value: value))
    if members.count == Self.indexedFrom {
      rebuildPlaces()
    } else if members.count > Self.indexedFrom {
      places[key] = members.count - 1
    }
  }

  private mutating func rebuildPlaces() {
    places = [:]
    guard members.count >= Self.indexedFrom else { return }
    for (place, member) in members.enumerated() { places[member.key] = place }
  }
}

extension JSONObject: Equatable {
  /// Same members in the same order.
  package static func == (a: JSONObject, b: JSONObject) -> Bool { a.members == b.members }
}
