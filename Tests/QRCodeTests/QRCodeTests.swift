import Testing

@testable import QRCode

@Suite struct QRCodeTests {
  private func rows(_ code: QRCode) -> [String] {
    (0..<code.size).map { row in
      (0..<code.size).map { code.isDark(row: row, column: $0) ? "#" : "." }.joined()
    }
  }

  /// FNV-1a, 64 bits.
  private func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  @Test func aCodeIsTheOneThatAnotherEncoderMakes() throws {
    let code = try #require(QRCode("https://192.168.1.20:8443", mask: 3))
    let expected = """
      #######.#....#....#######
      #.....#.#.#.##..#.#.....#
      #.###.#..#.#.#..#.#.###.#
      #.###.#.#.#.##.##.#.###.#
      #.###.#..####..#..#.###.#
      #.....#..####...#.#.....#
      #######.#.#.#.#.#.#######
      ........#####.###........
      #.##.###.#.##..##.#..#.##
      ..#..#..#####.#..#.....#.
      .##...#.#.#.#.#..####....
      ##...#...#..##..##.#.##..
      #..##.##...###..#.###.###
      .#.#....##.###.#..#.#...#
      .#.##.#..#.#....#...#.##.
      #...##.#.#.#....#..##...#
      .....##...#..##.#########
      ........#.#...###...#.#.#
      #######.#.#.....#.#.#.###
      #.....#.#.#...#.#...#....
      #.###.#..#..#...######..#
      #.###.#.#.###.#...#.#####
      #.###.#.####.....##.#.##.
      #.....#..#..##.#.##.#.#..
      #######.#.#..#.#...######
      """
    #expect(rows(code).joined(separator: "\n") == expected)
  }

  /// Bytes, mask, modules on a side, and the hash of the rows as another encoder makes them: each version twice.
  @Test(
    arguments: [
      (14, 0, 21, 0x6078_f05a_93d7_cff9), (9, 3, 21, 0x7a45_27dd_212f_20cb),
      (26, 1, 25, 0xaded_e63b_3255_4a2b), (23, 4, 25, 0x5ec5_7aaa_1c00_cc79),
      (42, 2, 29, 0xa33a_2bf7_17a7_9190), (39, 5, 29, 0x0ca1_f72a_fdef_e352),
      (62, 3, 33, 0x4976_20d7_2e2d_a500), (59, 6, 33, 0xb73f_d0c4_68f7_8954),
      (84, 4, 37, 0x0248_6483_5f76_7e2b), (81, 7, 37, 0x131f_ab60_01c4_2b9d),
      (106, 5, 41, 0xfb5a_c709_098a_1338), (103, 0, 41, 0xe613_1dff_9a7d_9689),
      (122, 6, 45, 0x137a_e283_8dd4_30dd), (119, 1, 45, 0x4f6b_a595_328e_e398),
      (152, 7, 49, 0x3f1a_5955_e5da_a485), (149, 2, 49, 0xc869_2368_2174_035f),
      (180, 0, 53, 0xf625_af78_48a9_d373), (177, 3, 53, 0x5245_b702_736d_ee18),
      (213, 1, 57, 0x8697_185b_2b64_05b8), (210, 4, 57, 0xcfc9_72bb_1e9e_28bd),
    ] as [(Int, Int, Int, UInt64)])
  func everyVersionAndMaskIsRight(length: Int, mask: Int, size: Int, expected: UInt64) throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let text = "https://" + String((0..<(length - 8)).map { letters[$0 % 26] })
    let code = try #require(QRCode(text, mask: mask))
    #expect(code.size == size)
    #expect(hash(rows(code).joined(separator: "\n")) == expected)
  }

  @Test func theMaskWithTheLeastPenaltyIsTaken() throws {
    let text = "https://192.168.1.20:8443"
    let chosen = try #require(QRCode(text))
    #expect(chosen == QRCode(text, mask: chosen.mask))
    #expect(chosen.mask == 6)
  }

  @Test func whatDoesNotFitIsNoCode() {
    #expect(QRCode(String(repeating: "a", count: QRCode.capacity)) != nil)
    #expect(QRCode(String(repeating: "a", count: QRCode.capacity + 1)) == nil)
    #expect(QRCode("a", mask: 8) == nil)
    #expect(QRCode("") != nil)
  }

  @Test func picturesHaveTheQuietZone() throws {
    let code = try #require(QRCode("https://localhost:8443"))
    #expect(code.svg.contains("viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\""))
    let lines = code.terminalText.split(separator: "\n")
    #expect(lines.count == (code.size + 5) / 2)
    #expect(lines.allSatisfy { $0.count == code.size + 4 })
  }
}
