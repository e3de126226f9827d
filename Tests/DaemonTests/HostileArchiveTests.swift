import Foundation
import Testing
import TestSupport

/// Archives that are broken or meant to do harm.
@Suite(.waits) struct HostileArchiveTests {
  @Test(.enabled(if: Samples.exist)) func everyRejectedSampleFailsWithAReasonAndTheDaemonServesOn() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    _ = try admin.push("good", try Packs.make("good"), app: app)
    _ = try admin.release([("good", nil)], app: app).expect(201)
    let pid = daemon.process.pid
    let before = try daemon.client().get(daemon.manifestPath).expect(200)

    var waiting: [(file: String, version: String)] = []
    for record in try Samples.index("hostile") where record["verdict"] as? String == "reject" {
      let file = try #require(record["file"] as? String)
      let bytes = try Samples.bytes("hostile/\(file)")
      if bytes.isEmpty {
        // Nothing to upload: the reservation says so.
        let version = try admin.version(pack: try admin.pack("hostile", app: app))
        let answer = try admin.create(
          "backgroundAssetUploadFiles", ["assetType": "ASSET", "fileName": file, "fileSize": 0],
          ("backgroundAssetVersion", "backgroundAssetVersions", version.id))
        #expect(answer.status == 422)
        #expect(answer.pointer == "/data/attributes/fileSize")
      } else {
        waiting.append((file, try admin.send("hostile", bytes, app: app).id))
      }
    }
    #expect(waiting.count > 60)
    for (file, id) in waiting {
      let version = try admin.wait(version: id)
      #expect(version.text("state") == "FAILED", "\(file)")
      let errors = version.details("errors")
      #expect(!errors.isEmpty, "\(file)")
      for error in errors {
        #expect(error.code.allSatisfy { $0.isUppercase || $0 == "_" || $0.isNumber } && !error.code.isEmpty, "\(file)")
        #expect(error.description.hasSuffix(".") && error.description.contains(" "), "\(file): \(error.description)")
      }
    }
    let after = try daemon.client().get(daemon.manifestPath).expect(200)
    #expect(after.body == before.body)
    #expect(kill(pid, 0) == 0)
    #expect(try admin.push("good", try Packs.make("good", Array("2".utf8)), app: app).text("state") == "COMPLETE")
    try daemon.stop()
  }

  @Test(.enabled(if: Samples.exist)) func everySamplePackIsAccepted() throws {
    let daemon = try TestDaemon.service(partSize: "1 MiB")
    let admin = daemon.admin()
    let app = try admin.app()
    for record in try Samples.index("packs") {
      let file = try #require(record["file"] as? String)
      let id = try #require(record["assetPackID"] as? String)
      let version = try admin.push(id, try Samples.bytes("packs/\(file)"), app: app)
      #expect(version.text("state") == "COMPLETE", "\(file): \(version.details("errors"))")
      #expect(version.number("installSize") == record["installSize"] as? Int, "\(file)")
      #expect(version.text("sha256") == record["sha256"] as? String, "\(file)")
    }
  }

  @Test func bytesWithoutMeaningFail() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let good = try Packs.make("p", Packs.noise(3000))
    for bytes in [[0], Packs.noise(100_000), Array(good.dropLast(10)), Array(good.prefix(20)), good + good] {
      let version = try admin.push("p", bytes, app: app)
      #expect(version.text("state") == "FAILED", "\(bytes.count)")
      #expect(version.details("errors").first?.description.isEmpty == false)
    }
    #expect(try admin.push("p", good, app: app).text("version") == "6")
  }
}
