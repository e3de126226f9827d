import Testing

@testable import AppleArchive

@Suite(.enabled(if: Samples.has("packs"))) struct SamplePackTests {
  @Test func listsAndHashesEveryPack() throws {
    let index = try Samples.index("packs")
    #expect(index.count == 10)
    for pack in index {
      let name = try #require(pack["file"] as? String)
      let inspection = try inspect(try Samples.bytes("packs/\(name)"))
      let expected = try #require(pack["files"] as? [[String: Any]])
      var found: [String: String] = [:]
      for entry in inspection.entries where entry.type == .file { found[entry.path.text] = entry.sha256 }
      var manifestSize: Int64 = 0
      for entry in inspection.entries where entry.path.text == "Manifest.json" { manifestSize = entry.size }
      #expect(inspection.manifestCandidates.map(\.path.text) == ["Manifest.json"], "\(name)")
      #expect(inspection.manifestCandidates.first.map { Int64($0.bytes.count) } == manifestSize, "\(name)")
      let identifier = try #require(pack["assetPackID"] as? String)
      #expect(String(decoding: inspection.manifestCandidates[0].bytes, as: UTF8.self).contains(identifier), "\(name)")
      #expect(inspection.warnings.isEmpty, "\(name): \(inspection.warnings.map(\.sentence))")
      found["Manifest.json"] = nil
      for file in expected {
        let path = try #require(file["path"] as? String)
        #expect(found.removeValue(forKey: path) == file["sha256"] as? String, "\(name): \(path)")
      }
      #expect(found.isEmpty, "\(name): \(found.keys)")
      #expect(inspection.installSize - manifestSize == Int64(try #require(pack["installSize"] as? Int)), "\(name)")
    }
  }

  @Test func everyCutOfAPackIsAnError() throws {
    var generator = SeededGenerator(state: 7)
    for pack in try Samples.index("packs") {
      let name = try #require(pack["file"] as? String)
      let bytes = try Samples.bytes("packs/\(name)")
      let whole = try inspect(bytes)
      let offsets =
        Array(0..<40) + (1...12).map { bytes.count - $0 }
        + (0..<12).map { _ in Int.random(in: 0..<bytes.count, using: &generator) }
      for offset in offsets {
        do throws(ArchiveFailure) {
          let inspection = try inspect(Array(bytes[..<offset]))
          // A stream without a container may be cut between two entries without a trace.
          #expect(
            whole.container.codec == .none && inspection.entries.count < whole.entries.count, "\(name) at \(offset)")
        } catch {
          #expect(!error.sentence.isEmpty)
        }
      }
    }
  }

  @Test func changedBytesOfAPackAreSurvived() throws {
    var generator = SeededGenerator(state: 11)
    var refused = 0
    for name in ["02-ok-lzfse", "02-ok-lz4", "02-ok-copy", "00-ok-raw"] {
      let bytes = try Samples.bytes("hostile/\(name).aar")
      for _ in 0..<1000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          changed[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if failure(changed) != nil { refused += 1 }
      }
    }
    #expect(refused > 500)
  }
}
