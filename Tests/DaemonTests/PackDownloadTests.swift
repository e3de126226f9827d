import Digests
import Testing
import TestSupport

/// How devices download packs: whole, in ranges, again and again.
@Suite(.waits) struct PackDownloadTests {
  private let content = Packs.noise(200_000)

  private func serve() throws -> (daemon: TestDaemon, pack: [UInt8], path: String) {
    let folder = try TemporaryFolder()
    let pack = try Packs.make("level-1", content)
    let daemon = try TestDaemon.development([try folder.write("level-1.aar", pack)], folder: folder)
    return (daemon, pack, "/apps/\(TestDaemon.app)/packs/1/level-1")
  }

  @Test func aWholePackComesWithAllThatResumingNeeds() throws {
    let (daemon, pack, path) = try serve()
    let web = daemon.client()
    for target in [path, "\(path).aar"] {
      let answer = try web.get(target)
      #expect(answer.status == 200)
      #expect(answer.body == pack)
      #expect(answer.fields["content-length"] == "\(pack.count)")
      #expect(answer.fields["content-type"] == "application/octet-stream")
      #expect(answer.fields["accept-ranges"] == "bytes")
      #expect(answer.fields["etag"] == "\"\(Packs.hash(pack))\"")
      #expect(answer.fields["last-modified"] != nil)
      #expect(answer.fields["cache-control"] == "public, max-age=31536000, immutable")
      #expect(answer.fields["content-encoding"] == nil)
    }
    let compressed = try web.get(path, [("Accept-Encoding", "gzip, br, deflate")])
    #expect(compressed.fields["content-encoding"] == nil)
    #expect(compressed.body == pack)
  }

  @Test func headTellsWhatGetWouldAndSendsNothing() throws {
    let (daemon, pack, path) = try serve()
    let web = daemon.client()
    let head = try web.send("HEAD", path)
    let get = try web.get(path)
    #expect(head.status == 200)
    #expect(head.body.isEmpty)
    for name in ["content-length", "etag", "last-modified", "accept-ranges", "content-type", "cache-control"] {
      #expect(head.fields[name] == get.fields[name], "\(name)")
    }
    #expect(head.fields["content-length"] == "\(pack.count)")
  }

  @Test func singleRangesGiveExactlyTheirBytes() throws {
    let (daemon, pack, path) = try serve()
    let web = daemon.client()
    let size = pack.count
    let cases: [(String, Range<Int>)] = [
      ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=1000-70000", 1000..<70001),
      ("bytes=\(size - 1)-\(size - 1)", (size - 1)..<size), ("bytes=100000-", 100_000..<size), ("bytes=0-", 0..<size),
      ("bytes=-1", (size - 1)..<size), ("bytes=-500", (size - 500)..<size), ("bytes=-\(size + 5)", 0..<size),
      ("bytes=150000-99999999999", 150_000..<size), ("bytes=16383-16385", 16_383..<16_386),
    ]
    for (range, expected) in cases {
      let answer = try web.get(path, [("Range", range)])
      #expect(answer.status == 206, "\(range)")
      #expect(
        answer.fields["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(size)", "\(range)")
      #expect(answer.fields["content-length"] == "\(expected.count)", "\(range)")
      #expect(answer.body == Array(pack[expected]), "\(range)")
    }
  }

  @Test func rangesPastTheEndAreRefusedWithTheLength() throws {
    let (daemon, pack, path) = try serve()
    let web = daemon.client()
    for range in ["bytes=\(pack.count)-", "bytes=\(pack.count + 7)-\(pack.count + 9)", "bytes=-0"] {
      let answer = try web.get(path, [("Range", range)])
      #expect(answer.status == 416, "\(range)")
      #expect(answer.fields["content-range"] == "bytes */\(pack.count)", "\(range)")
    }
  }

  @Test func rangesThatMeanNothingGiveTheWholePack() throws {
    let (daemon, pack, path) = try serve()
    let web = daemon.client()
    for range in ["bytes=5-2", "bytes=a-b", "bytes", "lines=0-5", "bytes="] {
      let answer = try web.get(path, [("Range", range)])
      #expect(answer.status == 200, "\(range)")
      #expect(answer.body.count == pack.count, "\(range)")
    }
  }

  @Test func severalRangesComeInOneAnswer() throws {
    let (daemon, pack, path) = try serve()
    let web = daemon.client()
    let answer = try web.get(path, [("Range", "bytes=1-2,5-6")])
    #expect(answer.status == 206)
    let type = try #require(answer.fields["content-type"])
    #expect(type.hasPrefix("multipart/byteranges; boundary="))
    let boundary = type.dropFirst("multipart/byteranges; boundary=".count)
    let text = String(decoding: answer.body, as: Unicode.ASCII.self)
    #expect(text.contains("Content-Range: bytes 1-2/\(pack.count)\r\n"))
    #expect(text.contains("Content-Range: bytes 5-6/\(pack.count)\r\n"))
    #expect(text.hasSuffix("\r\n--\(boundary)--\r\n"))
    // Ranges that touch are one, and one is no list.
    let joined = try web.get(path, [("Range", "bytes=1-2,3-6")])
    #expect(joined.fields["content-range"] == "bytes 1-6/\(pack.count)")
    #expect(joined.body == Array(pack[1...6]))
  }

  @Test func ifRangeResumesTheSameBytesAndRestartsOnOthers() throws {
    let (daemon, pack, path) = try serve()
    let web = daemon.client()
    let first = try web.send("HEAD", path)
    let tag = try #require(first.fields["etag"])
    let date = try #require(first.fields["last-modified"])
    let same = try web.get(path, [("Range", "bytes=100-"), ("If-Range", tag)])
    #expect(same.status == 206)
    #expect(same.body == Array(pack[100...]))
    for other in ["\"other\"", "W/\(tag)", "Thu, 01 Jan 1970 00:00:00 GMT"] {
      let answer = try web.get(path, [("Range", "bytes=100-"), ("If-Range", other)])
      #expect(answer.status == 200, "\(other)")
      #expect(answer.body == pack, "\(other)")
    }
    let byDate = try web.get(path, [("Range", "bytes=100-"), ("If-Range", date)])
    #expect([200, 206].contains(byDate.status))
  }

  @Test func knownBytesAreNotSentAgain() throws {
    let (daemon, _, path) = try serve()
    let web = daemon.client()
    let first = try web.send("HEAD", path)
    let tag = try #require(first.fields["etag"])
    let date = try #require(first.fields["last-modified"])
    for field in [
      ("If-None-Match", tag), ("If-None-Match", "W/\(tag)"), ("If-None-Match", "*"),
      ("If-None-Match", "\"a\", \(tag)"), ("If-Modified-Since", date),
    ] {
      let answer = try web.get(path, [(name: field.0, value: field.1)])
      #expect(answer.status == 304, "\(field)")
      #expect(answer.body.isEmpty)
      #expect(answer.fields["etag"] == tag)
    }
    #expect(try web.get(path, [("If-None-Match", "\"a\"")]).status == 200)
    #expect(try web.get(path, [("If-Match", "\"a\"")]).status == 412)
  }

  @Test func aDownloadInPiecesOverManyConnectionsIsThePack() throws {
    let (daemon, pack, path) = try serve()
    var received: [UInt8] = []
    var size = 1
    while received.count < pack.count {
      let end = min(pack.count, received.count + size) - 1
      let answer = try daemon.client().get(path, [("Range", "bytes=\(received.count)-\(end)")])
      received += answer.body
      size *= 3
    }
    #expect(received == pack)
  }

  @Test(.enabled(if: Samples.exist)) func samplePacksAreServedByteForByte() throws {
    let names = ["tutorial.aar", "level-2.aar", "voices-ja.aar", "model.v1.aar"]
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon.development(names.map { Samples.path("packs/\($0)") }, folder: folder)
    let web = daemon.client()
    for record in try Samples.index("packs") where names.contains(record["file"] as? String ?? "") {
      let id = try #require(record["assetPackID"] as? String)
      let answer = try web.get("/apps/\(TestDaemon.app)/packs/1/\(id).aar")
      #expect(answer.status == 200)
      #expect(answer.body.count == record["size"] as? Int)
      #expect(Packs.hash(answer.body) == record["sha256"] as? String)
    }
  }
}
