import Foundation
import Testing
import TestSupport

/// An upload over the admin API, from the reservation to its outcome.
@Suite(.waits) struct UploadTests {
  private let bytes: [UInt8]

  init() throws { bytes = try Packs.make("p", Packs.noise(300_000)) }

  /// A daemon with an app and a reserved upload of `bytes`, in parts of 64 KiB.
  private func reserve() throws -> (daemon: TestDaemon, admin: AdminClient, version: APIResource, upload: UploadFile) {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let version = try admin.version(pack: try admin.pack("p", app: try admin.app()))
    return (daemon, admin, version, try admin.reserve(version: version.id, size: bytes.count))
  }

  @Test func aReservationNamesEachPart() throws {
    let (daemon, _, version, upload) = try reserve()
    #expect(version.text("state") == "AWAITING_UPLOAD")
    #expect(version.text("version") == "1")
    #expect(upload.resource["uploaded"] as? Bool == false)
    #expect(upload.parts.map(\.number) == Array(1...5))
    #expect(upload.parts.map(\.offset) == (0..<5).map { $0 * 65536 })
    #expect(upload.parts.map(\.length).reduce(0, +) == bytes.count)
    #expect(upload.parts.allSatisfy { $0.entityTag == nil && $0.url.hasPrefix("\(daemon.adminBase)/uploads/") })
    let operation = try #require(upload.resource.list("uploadOperations").first)
    #expect(operation["method"] as? String == "PUT")
    #expect(operation["requestHeaders"] is [Any])
    #expect((operation["expiration"] as? String)?.hasSuffix("Z") == true)
  }

  @Test func partsMayComeOutOfOrderAndMoreThanOnce() throws {
    let (daemon, admin, version, upload) = try reserve()
    for index in [4, 1, 3, 0, 2] {
      let answer = try admin.put(upload.parts[index], of: bytes).expect(200)
      let tag = try #require(answer.fields["etag"])
      #expect("\"\(try admin.upload(upload.id).parts[index].entityTag ?? "")\"" == tag)
    }
    // Other bytes, then the right ones again: the last word counts.
    let wrong = [UInt8](repeating: 7, count: bytes.count)
    _ = try admin.put(upload.parts[2], of: wrong).expect(200)
    _ = try admin.put(upload.parts[2], of: bytes).expect(200)
    let committed = try admin.commit(upload, hash: Packs.hash(bytes)).expect(200).resource
    #expect(committed["uploaded"] as? Bool == true)
    #expect(committed.list("uploadOperations").isEmpty)
    let done = try admin.wait(version: version.id)
    #expect(done.text("state") == "COMPLETE")
    #expect(done.text("sha256") == Packs.hash(bytes))
    #expect(done.number("fileSize") == bytes.count)
    #expect(done.number("downloadSize") == bytes.count)
    #expect(done["platforms"] as? [String] == ["IOS"])
    #expect(done.text("internalBetaState") == "READY_FOR_TESTING")
    #expect(done.text("externalBetaState") == "READY_FOR_BETA_SUBMISSION")
    #expect(done.text("appStoreState") == "PREPARE_FOR_SUBMISSION")
    let file = try admin.upload(upload.id).resource
    #expect((file["assetDeliveryState"] as? [String: Any])?["state"] as? String == "COMPLETE")
    withExtendedLifetime(daemon) {}
  }

  @Test func partsMayComeAllAtOnce() throws {
    let (daemon, admin, version, upload) = try reserve()
    let clients = upload.parts.map { _ in daemon.admin() }
    let outcomes = Outcomes()
    let threads = zip(upload.parts, clients).map { part, client in
      let job = SendJob(client: client, part: part, bytes: bytes)
      return Thread { outcomes.add((try? job.run()) ?? 0) }
    }
    for thread in threads { thread.start() }
    #expect(outcomes.wait(for: threads.count) == Array(repeating: 200, count: threads.count))
    _ = try admin.commit(upload, hash: Packs.hash(bytes)).expect(200)
    #expect(try admin.wait(version: version.id).text("sha256") == Packs.hash(bytes))
  }

  @Test func aSlowUploadOnAFreshConnectionIsNotCutOff() throws {
    let (daemon, admin, _, upload) = try reserve()
    // Longer than a second, so that the server looks at its slow connections while the part is on its way.
    let raw = try RawConnection(port: daemon.adminPort, trust: daemon.trust)
    let target = upload.parts[0].url.replacing(daemon.adminBase, with: "")
    try raw.send("PUT \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 65536\r\n\r\n")
    for offset in stride(from: 0, to: 65536, by: 4096) {
      try raw.send(Array(bytes[offset..<(offset + 4096)]))
      usleep(100_000)
    }
    #expect(try raw.answer()?.status == 200)
    #expect(try admin.upload(upload.id).parts[0].entityTag != nil)
  }

  @Test func partsThatDoNotFitAreRefused() throws {
    let (daemon, admin, _, upload) = try reserve()
    let last = try #require(upload.parts.last)
    let past = try admin.web.send("PUT", last.url.replacing("/5?", with: "/6?"), body: [1])
    #expect(past.status == 409)
    #expect(past.code == "PART_PAST_END")
    let far = try admin.web.send("PUT", last.url.replacing("/5?", with: "/99999999999999999999?"), body: [1])
    #expect(far.status == 409)
    #expect(far.code == "PART_PAST_END")
    #expect(try admin.web.send("PUT", last.url.replacing("/5?", with: "/0?"), body: [1]).status == 404)
    let long = try admin.web.send("PUT", last.url, body: Array(repeating: 1, count: last.length + 1))
    #expect(long.status == 413)
    let short = try admin.web.send("PUT", last.url, body: Array(repeating: 1, count: last.length - 1))
    #expect(short.status == 400)
    #expect(short.code == "PART_TOO_SHORT")
    let empty = try admin.web.send("PUT", last.url, body: [])
    #expect(empty.status == 400)
    #expect(try admin.upload(upload.id).parts.allSatisfy { $0.entityTag == nil })
    for path in ["/0?", "/-1?", "/x?", "/99999999999999999999?"] {
      let answer = try admin.web.send("PUT", last.url.replacing("/5?", with: path), body: [1])
      #expect([404, 409].contains(answer.status), "\(path)")
    }
    // Whatever was refused, the right bytes still go in.
    _ = try admin.put(last, of: bytes).expect(200)
    withExtendedLifetime(daemon) {}
  }

  @Test func onlySignedAddressesTakeBytes() throws {
    let (daemon, admin, version, upload) = try reserve()
    let url = upload.parts[0].url
    let query = try #require(url.split(separator: "?").last)
    let signature = try #require(query.split(separator: "=").last)
    let other = try admin.reserve(
      version: try admin.version(pack: try admin.pack("q", app: try admin.app())).id, size: 10)
    let targets = [
      url.replacing("signature=\(signature)", with: "signature=\(String(signature.reversed()))"),
      url.replacing("signature=\(signature)", with: "signature="), String(url.split(separator: "?")[0]),
      url.replacing("expires=", with: "expires=1"), url.replacing("expires=", with: "x="),
      url.replacing(upload.id, with: other.id), "\(url)&signature=00",
    ]
    for target in targets {
      let answer = try admin.web.send("PUT", target, body: Array(bytes[0..<65536]))
      #expect(answer.status == 403, "\(target)")
      #expect(answer.code == "SIGNATURE_INVALID", "\(target)")
    }
    #expect(try admin.upload(upload.id).parts.allSatisfy { $0.entityTag == nil })
    #expect(version.id != other.id)
    withExtendedLifetime(daemon) {}
  }

  @Test func aCommitNamesThePartsThatAreMissing() throws {
    let (daemon, admin, version, upload) = try reserve()
    for index in [0, 3] { _ = try admin.put(upload.parts[index], of: bytes).expect(200) }
    let answer = try admin.commit(upload, hash: Packs.hash(bytes))
    #expect(answer.status == 409)
    #expect(answer.code == "PARTS_MISSING")
    #expect(answer.detail.contains("2, 3, 5"))
    #expect(try admin.get("/v1/backgroundAssetVersions/\(version.id)").resource.text("state") == "AWAITING_UPLOAD")
    withExtendedLifetime(daemon) {}
  }

  @Test func afterTheCommitTheUploadIsClosed() throws {
    let (daemon, admin, version, upload) = try reserve()
    for part in upload.parts { _ = try admin.put(part, of: bytes).expect(200) }
    _ = try admin.commit(upload, hash: Packs.hash(bytes)).expect(200)
    // The same again is harmless: the first answer may have been lost.
    _ = try admin.commit(upload, hash: Packs.hash(bytes)).expect(200)
    let other = try admin.commit(upload, hash: String(repeating: "0", count: 64))
    #expect(other.status == 409)
    #expect(other.code == "UPLOAD_CLOSED")
    let late = try admin.put(upload.parts[0], of: bytes)
    #expect(late.status == 409)
    #expect(late.code == "UPLOAD_CLOSED")
    #expect(try admin.wait(version: version.id).text("state") == "COMPLETE")
    _ = try admin.commit(upload, hash: Packs.hash(bytes)).expect(200)
    let second = try admin.create(
      "backgroundAssetUploadFiles", ["assetType": "ASSET", "fileName": "a", "fileSize": 1],
      ("backgroundAssetVersion", "backgroundAssetVersions", version.id))
    #expect(second.status == 409)
    withExtendedLifetime(daemon) {}
  }

  @Test func aWrongHashFailsTheVersion() throws {
    let (daemon, admin, version, upload) = try reserve()
    for part in upload.parts { _ = try admin.put(part, of: bytes).expect(200) }
    _ = try admin.commit(upload, hash: String(repeating: "ab", count: 32)).expect(200)
    let failed = try admin.wait(version: version.id)
    #expect(failed.text("state") == "FAILED")
    #expect(failed.details("errors").map(\.code) == ["CHECKSUM_MISMATCH"])
    #expect(failed.details("errors").first?.description.contains(Packs.hash(bytes)) == true)
    let delivery = try #require(try admin.upload(upload.id).resource["assetDeliveryState"] as? [String: Any])
    #expect(delivery["state"] as? String == "FAILED")
    // A retry is a new version with a new number.
    let retry = try admin.push("p", bytes, app: try admin.app())
    #expect(retry.text("version") == "2")
    #expect(retry.text("state") == "COMPLETE")
    withExtendedLifetime(daemon) {}
  }

  @Test func aPackOfAnotherNameFails() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let failed = try admin.push("q", bytes, app: try admin.app())
    #expect(failed.text("state") == "FAILED")
    #expect(failed.details("errors").map(\.code) == ["PACK_ID_MISMATCH"])
  }
}

/// One part on its way, on a thread of its own. `@unchecked Sendable`: nobody else uses its client.
private struct SendJob: @unchecked Sendable {
  let client: AdminClient
  let part: UploadFile.Part
  let bytes: [UInt8]

  func run() throws -> Int { try client.put(part, of: bytes).status }
}

/// Statuses from several threads. `@unchecked Sendable`: the condition guards the list.
private final class Outcomes: @unchecked Sendable {
  private let condition = NSCondition()
  private var statuses: [Int] = []

  func add(_ status: Int) {
    condition.lock()
    statuses.append(status)
    condition.signal()
    condition.unlock()
  }

  func wait(for count: Int) -> [Int] {
    condition.lock()
    defer { condition.unlock() }
    while statuses.count < count { condition.wait() }
    return statuses
  }
}
