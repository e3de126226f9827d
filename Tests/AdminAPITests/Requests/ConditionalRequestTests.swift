import AssetPacks
import Foundation
import HTTPCore
import Synchronization
import Testing

@testable import AdminAPI

/// `ETag`, `If-None-Match` and `If-Match`.
@Suite struct ConditionalRequestTests {
  private func body(_ app: String, _ name: String) -> String {
    #"{"data":{"type":"apps","id":"\#(app)","attributes":{"name":"\#(name)"}}}"#
  }

  @Test func fieldsAreReadAsRFC9110Says() {
    let cases: [(String, Bool, Bool)] = [
      ("\"a\"", true, true), ("\"b\", \"a\"", true, true), (" \"a\" ,W/\"c\"", true, true), ("W/\"a\"", false, true),
      ("*", true, true), (" * ", true, true), ("a", false, false), ("", false, false), ("\"b\"", false, false),
      ("\"a", false, false), ("\"A\"", false, false), ("w/\"a\"", false, false), ("\"\"", false, false),
    ]
    for (field, strong, weak) in cases {
      #expect(EntityTags(field).matchStrongly("\"a\"") == strong, "\(field)")
      #expect(EntityTags(field).matchWeakly("\"a\"") == weak, "\(field)")
    }
  }

  @Test func aTagStandsForTheResource() throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    let path = "/v1/apps/\(app)"
    let tag = try #require(fixture.get(path).field("ETag"))
    #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count == 34)
    #expect(fixture.get(path).field("ETag") == tag)
    #expect(fixture.get("\(path)?fields[apps]=name").field("ETag") == tag)
    let notModified = fixture.get(path, [("If-None-Match", "W/\(tag)")])
    #expect(notModified.status == 304)
    #expect(notModified.body.isEmpty)
    #expect(notModified.field("ETag") == tag)
    #expect(fixture.get(path, [("If-None-Match", "\"x\"")]).status == 200)
    let changed = fixture.send(.patch, path, body(app, "B"))
    #expect(changed.status == 200)
    #expect(changed.field("ETag") != tag)
    #expect(changed.field("ETag") == fixture.get(path).field("ETag"))
    #expect(fixture.get("/v1/apps").field("ETag") == nil)
    let pack = fixture.pack("p", app: app)
    #expect(fixture.get("/v1/backgroundAssets/\(pack)?include=app").field("ETag") == nil)
  }

  @Test func addressesOfUploadsAreNoPartOfTheTag() throws {
    let fixture = try APIFixture()
    let version = fixture.version(pack: fixture.pack("p", app: fixture.app()))
    let upload = fixture.post(
      "backgroundAssetUploadFiles",
      #""attributes":{"assetType":"ASSET","fileName":"a","fileSize":5},"relationships":{"backgroundAssetVersion":"#
        + #"{"data":{"type":"backgroundAssetVersions","id":"\#(version)"}}}"#)
    #expect(upload.status == 201, "\(upload.text)")
    let path = "/v1/backgroundAssetUploadFiles/\(upload.id)"
    let first = fixture.get(path)
    fixture.time.advance(60)
    let second = fixture.get(path)
    #expect(first.body != second.body)
    #expect(first.field("ETag") == second.field("ETag"))
  }

  @Test func aStaleChangeIsRefusedAndChangesNothing() throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    let path = "/v1/apps/\(app)"
    let old = try #require(fixture.get(path).field("ETag"))
    let current = try #require(fixture.send(.patch, path, body(app, "B"), [("If-Match", old)]).field("ETag"))
    for field in [old, "W/\(current)", "x", "", "\"\""] {
      let reply = fixture.send(.patch, path, body(app, "C"), [("If-Match", field)])
      #expect(reply.status == 412, "\(field)")
      #expect(reply.code == "PRECONDITION_FAILED")
      #expect(reply.errors.first?.source == "If-Match")
    }
    #expect(fixture.get(path).json[["data", "attributes", "name"]]?.string == "B")
    #expect(fixture.send(.patch, path, body(app, "C"), [("If-Match", "\(old), \(current)")]).status == 200)
    #expect(fixture.send(.patch, path, body(app, "D"), [("If-Match", "*")]).status == 200)
    #expect(fixture.send(.patch, "/v1/apps/none", body("none", "D"), [("If-Match", "*")]).status == 404)
  }

  /// The condition holds at the moment of the change: of many that have read the same, one gets through.
  @Test func ofManyChangesToWhatWasReadOnceOneIsMade() throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    let path = "/v1/apps/\(app)"
    for round in 0..<10 {
      let tag = try #require(fixture.get(path).field("ETag"))
      let statuses = Mutex<[UInt16]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        let status = fixture.send(.patch, path, body(app, "\(round)-\(index)"), [("If-Match", tag)]).status
        statuses.withLock { $0.append(status) }
      }
      #expect(statuses.withLock { $0.filter { $0 == 200 }.count } == 1)
      #expect(statuses.withLock { $0.filter { $0 == 412 }.count } == 7)
    }
  }
}
