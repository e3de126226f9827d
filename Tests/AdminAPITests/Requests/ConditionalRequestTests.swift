import AssetPacks
import Foundation
import HTTPCore
import PackStore
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
      // A comma between quotes belongs to the tag, and behind what is no tag nothing counts.
      ("\"a,b\", \"a\"", true, true), ("\"x,\"a\",y\"", false, false), ("x, \"a\"", false, false),
      ("\"b\", *", false, false),
    ]
    for (field, strong, weak) in cases {
      #expect(EntityTagList.matches("\"a\"", field: field, weakly: false) == strong, "\(field)")
      #expect(EntityTagList.matches("\"a\"", field: field, weakly: true) == weak, "\(field)")
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

  /// The one who reads, looks at the tag and changes is overtaken between the look and the transaction.
  @Test func aChangeBetweenTheLookAndTheTransactionIsNotOverwritten() throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    let path = "/v1/apps/\(app)"
    let tag = try #require(fixture.get(path).field("ETag"))
    let real = try #require(fixture.api.routes.first { $0.method == .patch && $0.pattern == "/v1/apps/{id}" })
    let overtaken = Route(
      .patch, "/v1/apps/{id}", .admin, .path(.app),
      { (context: RequestContext, _: AppRecord) throws(APIFailure) -> Message in
        #expect(fixture.send(.patch, path, body(app, "first")).status == 200)
        return try real.answer(context, fixture.store)
      }, real.documentation)
    let request = OwnedRequest(
      method: .patch, path: path, fields: [("If-Match", tag)], body: Array(body(app, "second").utf8))
    let context = RequestContext(request: request, values: [app], identity: nil)
    let failure = #expect(throws: APIFailure.self) { try fixture.api.change(overtaken, context) }
    #expect(failure?.code == .preconditionFailed)
    #expect(fixture.get(path).json[["data", "attributes", "name"]]?.string == "first")
    // Without a condition the last one wins.
    let blind = OwnedRequest(method: .patch, path: path, body: Array(body(app, "second").utf8))
    _ = try fixture.api.change(overtaken, RequestContext(request: blind, values: [app], identity: nil))
    #expect(fixture.get(path).json[["data", "attributes", "name"]]?.string == "second")
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
