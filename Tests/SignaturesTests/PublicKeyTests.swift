import Testing
import TestSupport

@testable import Signatures

@Suite struct PublicKeyTests {
  let message = Array("header.payload".utf8)

  @Test func aSignatureOfTheKeyIsGoodAndEveryOtherIsNot() throws {
    let key = try SigningKey()
    let known = try PublicKey(pem: key.publicPEM)
    // Many, so that numbers with zeros and with the highest bit in front are among them.
    for round in 0..<300 {
      let message = message + [UInt8(round & 255)]
      let signature = key.sign(message)
      #expect(known.verifies(signature: signature, over: message))
      var changed = signature
      changed[round % 64] ^= 1 << UInt8(round % 8)
      #expect(!known.verifies(signature: changed, over: message))
      #expect(!known.verifies(signature: signature, over: message + [0]))
    }
    #expect(!known.verifies(signature: try SigningKey().sign(message), over: message))
  }

  @Test func signaturesOfAnotherFormAreRefused() throws {
    let key = try SigningKey()
    let known = try PublicKey(pem: key.publicPEM)
    let good = key.sign(message)
    let zero = [UInt8](repeating: 0, count: 32)
    let high = [UInt8](repeating: 0xff, count: 32)
    for signature in [
      [], [0], Array(good.dropLast()), good + [0], key.signDER(message), zero + zero, Array(good[..<32]) + zero,
      zero + Array(good[32...]), high + high, Array(good[32...]) + Array(good[..<32]),
    ] as [[UInt8]] { #expect(!known.verifies(signature: signature, over: message)) }
  }

  @Test func theEncodingIsTheShortestOne() {
    let one = [UInt8](repeating: 0, count: 31) + [1]
    let high = [0x80] + [UInt8](repeating: 0, count: 31)
    #expect(PublicKey.der(one + one) == [0x30, 6, 2, 1, 1, 2, 1, 1])
    #expect(PublicKey.der(high + one) == [0x30, 38, 2, 33, 0, 0x80] + [UInt8](repeating: 0, count: 31) + [2, 1, 1])
    #expect(PublicKey.der([UInt8](repeating: 0, count: 64)) == [0x30, 6, 2, 1, 0, 2, 1, 0])
    #expect(PublicKey.der([1]) == nil)
  }

  @Test func onlyPublicP256KeysAreTaken() throws {
    let key = try SigningKey()
    #expect(try PublicKey(pem: "junk\n" + key.publicPEM + "more").pem() == key.publicPEM)
    func failure(_ text: String) -> SignatureFailure? {
      do {
        _ = try PublicKey(pem: text)
        return nil
      } catch {
        return error
      }
    }
    #expect(failure(key.privatePEM) == .privateKey)
    #expect(failure(key.publicPEM + key.privatePEM) == .privateKey)
    for kind in [SigningKey.Kind.P384, .RSA, .Ed25519] {
      #expect(failure(try SigningKey(kind).publicPEM) == .notP256, "\(kind)")
    }
    let cut = key.publicPEM.split(separator: "\n").enumerated().filter { $0.offset != 1 }.map(\.element)
    for text in ["", "x", "-----BEGIN PUBLIC KEY-----", cut.joined(separator: "\n"), key.publicPEM + "\0"] {
      #expect(failure(text) == .notPEM, "\(text)")
    }
    #expect(failure(key.publicPEM + String(repeating: "x", count: 4096)) == .notPEM)
  }
}
