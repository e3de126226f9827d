/// The number of an asset pack's version: from 1 up, rising, never used twice. The only thing that makes a device
/// update.
package struct VersionNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The largest number: 2⁵³ − 1, which every JSON reader keeps exactly (RFC 8259 section 6).
  package static let maximum = (1 << 53) - 1
  package static let first = VersionNumber(checked: 1)

  package let value: Int

  private init(checked value: Int) { self.value = value }

  /// - Throws: `AssetPackFailure.versionNumber` outside 1…`maximum`.
  package init(_ value: Int) throws(AssetPackFailure) {
    guard (1...Self.maximum).contains(value) else { throw .versionNumber(String(value)) }
    self.value = value
  }

  /// From a download manifest, where servers may also count from 0.
  package init(onWire value: Int) throws(AssetPackFailure) {
    guard (0...Self.maximum).contains(value) else { throw .versionNumber(String(value)) }
    self.value = value
  }

  /// From decimal digits without sign and leading zeros, as in URLs and in the admin API.
  package init(text: String) throws(AssetPackFailure) {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.first != 0x30
    guard isPlain, let value = Int(text), (1...Self.maximum).contains(value) else { throw .versionNumber(text) }
    self.value = value
  }

  /// The number after this one.
  package func next() throws(AssetPackFailure) -> VersionNumber { try VersionNumber(value + 1) }

  package var description: String { String(value) }

  package static func < (a: VersionNumber, b: VersionNumber) -> Bool { a.value < b.value }
}
