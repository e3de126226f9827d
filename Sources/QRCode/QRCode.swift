/// A QR code (ISO/IEC 18004) of bytes: byte mode, error correction level M, versions 1 to 10.
///
/// Written here because the part of the standard that a short URL needs is small, and a C library would be one more
/// dependency of the whole program for one page of the development server.
package struct QRCode: Sendable, Equatable {
  /// Modules on each side: 21 to 57, without the quiet zone of four modules around it.
  package let size: Int
  /// Row by row, true is dark.
  private let modules: [Bool]
  /// The mask that was chosen, 0 to 7.
  package let mask: Int

  /// The most bytes that fit.
  package static let capacity = 213

  /// The smallest code that holds `text` in UTF-8; nil when it has more than 213 bytes.
  /// - Parameter mask: 0 to 7; nil takes the one with the least penalty, as readers like it.
  package init?(_ text: String, mask: Int? = nil) {
    let bytes = Array(text.utf8)
    guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
    let words = QRCodewords.make(bytes, version: version)
    let drawn = QRMatrix(version: version).filled(with: words)
    var best: (mask: Int, matrix: QRMatrix, penalty: Int)?
    for candidate in mask.map({ [$0] }) ?? Array(0..<8) where (0..<8).contains(candidate) {
      let masked = drawn.masked(candidate)
      let penalty = masked.penalty
      if best.map({ penalty < $0.penalty }) ?? true { best = (candidate, masked, penalty) }
    }
    guard let best else { return nil }
    size = best.matrix.size
    modules = best.matrix.dark
    self.mask = best.mask
  }

  /// Whether the module is dark; light outside of the code.
  package func isDark(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }
}
