import Values

/// Which of a hundred buckets a client falls into in a staged rollout. With a percentage of `p` the buckets below `p`
/// get the new version: none at 0, all at 100, and a higher percentage only adds clients.
///
/// The bucket depends on the salt and on the bytes alone, so that every loop, every process and `explain` agree.
/// Nothing is allocated here.
package enum RolloutBucket {
  /// How many buckets there are.
  package static let count = 100

  /// The bucket of a client that identifies itself.
  package static func bucket(ofKey key: UnsafeRawBufferPointer, salt: UInt64) -> Int {
    var state = start(salt)
    for byte in key { state = fold(state, byte) }
    return scale(state, salt)
  }

  /// The bucket of a client known only by its address, a 128-bit number with IPv4 in its mapped form.
  /// The block counts, not the address: the first 24 bits of IPv4 and the first 64 of IPv6, within which clients move.
  package static func bucket(ofAddress high: UInt64, _ low: UInt64, salt: UInt64) -> Int {
    let isIPv4 = high == 0 && low >> 32 == 0xffff
    var state = fold(start(salt), isIPv4 ? 4 : 6)
    let block = isIPv4 ? low >> 8 : high
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      state = fold(state, UInt8(truncatingIfNeeded: block >> shift))
    }
    return scale(state, salt)
  }

  /// The same for an address as text, without brackets and port; nil when it is not one.
  package static func bucket(ofAddress text: String, salt: UInt64) -> Int? {
    var text = text
    let address = text.withUTF8 { characters -> UInt128? in
      let bytes = UnsafeRawBufferPointer(characters)
      return IPAddressText.ipv4(bytes).map { 0xffff << 32 | UInt128($0) } ?? IPAddressText.ipv6(bytes)
    }
    return address.map { bucket(ofAddress: UInt64($0 >> 64), UInt64(truncatingIfNeeded: $0), salt: salt) }
  }

  /// FNV-1a over 64 bits, begun from the salt.
  private static func start(_ salt: UInt64) -> UInt64 { mix(salt ^ 0xCBF2_9CE4_8422_2325) }

  private static func fold(_ state: UInt64, _ byte: UInt8) -> UInt64 { (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

  /// Every bit of the state moves every bit of the result; then 0…99 by the upper bits.
  private static func scale(_ state: UInt64, _ salt: UInt64) -> Int {
    Int(truncatingIfNeeded: mix(mix(state) ^ salt).multipliedFullWidth(by: UInt64(count)).high)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ value >> 33
  }
}
