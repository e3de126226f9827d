import Testing

@testable import Digests

@Suite struct DigestTests {
  private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  /// FIPS 180-4 example "abc".
  @Test(arguments: [
    (Digest.Algorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
  ])
  func aKnownTextHasItsKnownDigest(algorithm: Digest.Algorithm, expected: String) {
    let digest = Digest(algorithm)
    for byte in Array("abc".utf8) { withUnsafeBytes(of: byte) { digest.update($0) } }
    #expect(digest.finishText() == expected)
  }

  @Test func aDigestCanBeUsedAgain() {
    let digest = Digest(.sha256)
    Array("abc".utf8).withUnsafeBytes { digest.update($0) }
    let first = digest.finish()
    Array("abc".utf8).withUnsafeBytes { digest.update($0) }
    #expect(digest.finish() == first)
    #expect(first == Digest.sha256(Array("abc".utf8)))
  }

  @Test func nothingHasTheDigestOfNothing() {
    #expect(Digest.sha256Text([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  /// RFC 4231 test case 2.
  @Test func authenticationCodesAreThoseOfTheStandard() {
    let code = MessageAuthentication.code(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8))
    #expect(hex(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(MessageAuthentication.areEqual(code, code))
    #expect(!MessageAuthentication.areEqual(code, Array(code.dropLast())))
    #expect(!MessageAuthentication.areEqual([], []))
  }
}
