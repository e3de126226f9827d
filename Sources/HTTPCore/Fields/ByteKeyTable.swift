/// Finds a number by a key of bytes; fixed once made, so that loops share it without a lock.
///
/// Open addressing at most half full. The hash starts from a seed that clients do not know, so that nobody can choose
/// keys or lookups that collide.
package final class ByteKeyTable: Sendable {
  private struct Slot: Sendable {
    var hash: UInt64 = 0
    var offset = 0
    /// Negative when the slot is free.
    var count = -1
    var value: Int32 = 0
  }

  private let slots: [Slot]
  private let keys: StaticBytes
  private let seed: UInt64
  /// How many keys there are.
  package let count: Int

  /// Makes the table. When a key occurs more than once, its last value counts.
  ///
  /// - Parameter seed: random, and new for each process.
  package init(_ entries: [([UInt8], Int32)], seed: UInt64) {
    var capacity = 8
    while capacity < entries.count * 2 { capacity *= 2 }
    var slots = [Slot](repeating: Slot(), count: capacity)
    let keys = StaticBytes(entries.flatMap { $0.0 })
    var offset = 0
    var count = 0
    for (key, value) in entries {
      let bytes = UnsafeRawBufferPointer(rebasing: keys.pointer[offset..<offset + key.count])
      let hash = Self.hash(bytes, seed: seed)
      var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
      while slots[index].count >= 0, !Self.matches(slots[index], hash, bytes, keys) {
        index = (index + 1) & (capacity - 1)
      }
      if slots[index].count < 0 { count += 1 }
      slots[index] = Slot(hash: hash, offset: offset, count: key.count, value: value)
      offset += key.count
    }
    self.slots = slots
    self.keys = keys
    self.seed = seed
    self.count = count
  }

  /// The key's value, or nil.
  package func lookup(_ key: UnsafeRawBufferPointer) -> Int32? {
    let hash = Self.hash(key, seed: seed)
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index].count >= 0 {
      if Self.matches(slots[index], hash, key, keys) { return slots[index].value }
      index = (index + 1) & mask
    }
    return nil
  }

  private static func matches(
    _ slot: Slot, _ hash: UInt64, _ key: UnsafeRawBufferPointer, _ keys: StaticBytes
  ) -> Bool {
    guard slot.hash == hash, slot.count == key.count else { return false }
    return Octets.same(UnsafeRawBufferPointer(rebasing: keys.pointer[slot.offset..<slot.offset + slot.count]), key)
  }

  /// Folds eight bytes at a time with a full multiplication, as wyhash does; the seed goes into every step.
  private static func hash(_ key: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state = seed ^ 0xA076_1D64_78BD_642F
    var index = 0
    while index + 8 <= key.count {
      state = mix(state ^ key.loadUnaligned(fromByteOffset: index, as: UInt64.self), seed ^ 0xE703_7ED1_A0B4_28DB)
      index += 8
    }
    var rest: UInt64 = 0
    while index < key.count {
      rest = rest << 8 | UInt64(key[index])
      index += 1
    }
    state = mix(state ^ rest, seed ^ 0x8EBC_6AF0_9C88_C6E3)
    return mix(state ^ UInt64(truncatingIfNeeded: key.count), 0x5899_65CC_7537_4CC3)
  }

  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
