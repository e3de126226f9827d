import JSONText

/// What is in a cache: the one place that says which folder holds which pack.
struct CacheIndex: Sendable, Equatable {
  /// By id.
  private(set) var packs: [String: LocalPack] = [:]
  /// What an app asked for by tag, from 0 to 1.
  var tagPriorities: [String: Double] = [:]

  init() {}

  /// Nil when the bytes are no index.
  init?(_ bytes: [UInt8]) {
    guard let root = (try? JSONParser.parse(bytes))?.root, let list = root["packs"]?.array else { return nil }
    for value in list {
      guard let pack = LocalPack(value) else { return nil }
      packs[pack.id] = pack
    }
    for member in root["tagPriorities"]?.object?.members ?? [] { tagPriorities[member.key] = member.value.fraction }
  }

  /// By id, in the order of its bytes, so that the same path in two packs has the same winner every time.
  var sorted: [LocalPack] { packs.values.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) } }

  var bytes: [UInt8] {
    let priorities = tagPriorities.sorted { $0.key < $1.key }.map { tag, priority -> (String, JSONValue) in
      (tag, JSONNumber(priority).map { .number($0) } ?? 0)
    }
    let root: JSONValue = [
      "format": 1, "packs": .array(sorted.map(\.json)), "tagPriorities": .object(JSONObject(priorities)),
    ]
    return root.serialize()
  }

  mutating func put(_ pack: LocalPack) { packs[pack.id] = pack }

  @discardableResult
  mutating func remove(_ id: String) -> LocalPack? { packs.removeValue(forKey: id) }

  /// The pack's place in the order of purging: the highest priority that was set for one of its tags (or for its id,
  /// which is a tag too), else what its manifest says.
  func preservationPriority(of pack: LocalPack) -> Double {
    (pack.tags + [pack.id]).compactMap { tagPriorities[$0] }.max() ?? pack.preservationPriority
  }
}
