import AssetPacks
import Foundation
import Testing

/// Whatever bytes come, the domain answers with a value or a sentence.
struct HostileTextTests {
  /// SplitMix64, so that a failure can be repeated.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func damagedManifests(seed: UInt64) {
    let text = Array(PackagingManifestTests.full.utf8)
    var generator = Generator(state: seed)
    for _ in 0..<2_000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(text.randomElement(using: &generator) ?? 0, at: place)
        }
      }
      #expect(!failure { _ = try PackagingManifest.parse(bytes) }.isEmpty)
      #expect(!failure { _ = try ReceivedManifest.parse(bytes) }.isEmpty)
    }
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func randomNames(seed: UInt64) {
    let pieces = [
      "[", "]", ":", "::", ".", "*", "**", "/", "\\", "-", "!", "a", "Z", "0", "255", "https://", "@", "?", "é",
      "\u{0}",
      "xn--", "_", "..", "platform=", "ios", "&", "443",
    ]
    var generator = Generator(state: seed)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
      }
      .joined()
      #expect(!failure { _ = try GlobPattern(text).matches(text) }.isEmpty)
      #expect(!failure { _ = try DomainAllowList([text]).matches(host: text) }.isEmpty)
      #expect(!failure { _ = try LanguageTag(text) }.isEmpty)
      #expect(!failure { _ = try VersionNumber(text: text) }.isEmpty)
      _ = PlatformQuery.platform(in: Array(text.utf8))
      if let url = try? PublicBaseURL(text) {
        #expect((try? PublicBaseURL(url.text)) == url)
      }
    }
  }

  @Test func manyFaultsAreBounded() {
    let text = "{" + (0..<50_000).map { "\"assetPackIx\($0)\":1" }.joined(separator: ",") + "}"
    #expect(failure { _ = try PackagingManifest.parse(Array(text.utf8)) }.split(separator: "\n").count == 100)
  }

  private static let samples = URL(
    filePath: ProcessInfo.processInfo.environment["PACKHOUSE_SAMPLES"]
      ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/samples").path)

  private static var sample: URL { samples.appending(path: "packs/tutorial-raw.aar") }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: sample.path)))
  func readsTheManifestOfAnArchive() throws {
    // The archive is uncompressed, so its manifest stands in it as it is.
    let bytes = Array(try Data(contentsOf: Self.sample))
    let key = Array("{\n  \"assetPackID\"".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: key) })
    let end = try #require(bytes[start...].indices.first { bytes[$0...].starts(with: Array("\n}".utf8)) })
    let manifest = try PackagingManifest.parse(Array(bytes[start...end + 1]), origin: .archive)
    #expect(manifest.assetPackID.text == "tutorial")
    #expect(manifest.downloadPolicy == .essential(.firstInstallation))
    #expect(manifest.platforms == [.iOS, .macOS])
    #expect(manifest.toolsVersion == "2.0")
  }
}
