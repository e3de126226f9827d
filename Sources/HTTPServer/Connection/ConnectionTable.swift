/// The open connections of a loop, found by their token without hashing: its lower half is the place, its upper half
/// counts, so that a token whose connection is gone never finds the next one in that place.
struct ConnectionTable {
  private var slots: [Connection?] = []
  private var free: [Int] = []
  private var generation: UInt64 = 0
  private(set) var count = 0

  /// A token for a new connection, below 2⁶³; `insert` must follow.
  mutating func makeToken() -> UInt64 {
    let slot: Int
    if let last = free.popLast() {
      slot = last
    } else {
      slot = slots.count
      slots.append(nil)
    }
    // 31 bits of generation keep every token below those of the listeners.
    generation = (generation + 1) & 0x7fff_ffff
    return generation << 32 | UInt64(slot)
  }

  mutating func insert(_ connection: Connection) {
    slots[Self.slot(connection.token)] = connection
    count += 1
  }

  mutating func remove(_ connection: Connection) {
    let slot = Self.slot(connection.token)
    guard slot < slots.count, slots[slot] === connection else { return }
    slots[slot] = nil
    free.append(slot)
    count -= 1
  }

  /// Nil when it is gone.
  subscript(token: UInt64) -> Connection? {
    let slot = Self.slot(token)
    guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
    return connection
  }

  /// All of them, and gaps; a copy that costs nothing unless one is removed meanwhile.
  var places: [Connection?] { slots }

  private static func slot(_ token: UInt64) -> Int { Int(token & 0xffff_ffff) }
}
