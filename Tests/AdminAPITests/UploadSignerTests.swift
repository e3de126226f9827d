import SystemIO
import Testing

@testable import AdminAPI

@Suite struct UploadSignerTests {
  @Test func anAddressIsForOneFileAndForADay() {
    let made: Int64 = 1_800_000_000
    let signed = UploadSigner(key: [1, 2, 3], clock: WallClock { made }).query(file: "a")
    let query = signed.text.split(separator: "&").map { part in
      let pair = part.split(separator: "=")
      return (String(pair[0]), String(pair[1]))
    }
    func accepts(_ file: String = "a", at time: Int64, key: [UInt8] = [1, 2, 3], _ query: [(String, String)]) -> Bool {
      UploadSigner(key: key, clock: WallClock { time }).accepts(file: file, query: query)
    }
    #expect(signed.expires == made + 86_400)
    #expect(accepts(at: made, query))
    #expect(accepts(at: signed.expires, query))
    #expect(!accepts(at: signed.expires + 1, query))
    // A later end needs another signature.
    #expect(!accepts(at: signed.expires + 1, [("expires", String(signed.expires + 100)), query[1]]))
    #expect(!accepts("b", at: made, query))
    #expect(!accepts(at: made, key: [1, 2, 4], query))
    #expect(!accepts(at: made, [query[0]]))
    #expect(!accepts(at: made, [query[1]]))
  }
}
