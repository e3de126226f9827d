import Foundation
import Testing
import TestSupport

/// `packhouse doctor` and `packhouse cert`, as a person runs them.
@Suite(.waits) struct DoctorVerbTests {
  private typealias Run = (exit: ChildProcess.Exit, json: [String: Any], output: String, errors: String)

  private func run(_ folder: TemporaryFolder, _ words: [String], _ environment: [String: String] = [:]) throws -> Run {
    let process = try ChildProcess(
      ChildProcess.packhouse, words, environment: environment, errorPath: folder.file("verb-\(UUID().uuidString)"))
    let output = try process.rest()
    let exit = try process.finish()
    let object = (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
    return (exit, object ?? [:], output, process.errors)
  }

  private func errors(_ run: Run) -> [String] {
    (run.json["checks"] as? [[String: Any]] ?? []).filter { $0["level"] as? String == "error" }
      .map { "\($0["check"] ?? ""): \($0["sentence"] ?? "")" }
  }

  @Test func aServerInOrderIsFoundInOrderFromBothSides() throws {
    let daemon = try TestDaemon.service()
    let folder = daemon.folder
    let authority = try folder.write("ca.pem", daemon.authorityPEM)
    let admin = daemon.admin()
    let app = try admin.app()
    _ = try admin.push("level-1", try Packs.make("level-1", Packs.noise(3000)), app: app)
    _ = try admin.release([("level-1", nil)], app: app).expect(201)

    let configuration = ["doctor", "--config", folder.file("packhouse.json"), "--ca", authority, "--json"]
    let inside = try run(folder, configuration)
    #expect(inside.exit == .code(0), "\(inside.output)")
    #expect(inside.output.contains("answers with the manifest of this catalog"))

    let server = ["--server", daemon.adminBase, "--token", daemon.token, "--app", TestDaemon.app, "--ca", authority]
    let block = try run(folder, ["doctor", "print-plist"] + server)
    #expect(block.exit == .code(0), "\(block.errors)")
    #expect(block.output.contains("<key>BAMaxInstallSize</key>"))
    let plist = try folder.write("Info.plist", "<plist><dict>\(block.output)</dict></plist>")
    let outside = try run(folder, ["doctor", "--plist", plist, "--json"] + server)
    #expect(outside.exit == .code(0), "\(outside.output)")

    // A list that does not go with the packs.
    let text = try String(contentsOfFile: plist, encoding: .utf8)
    let number = try #require(text.range(of: "<key>BADownloadAllowance</key>\n\t\t<integer>"))
    let broken = try folder.write(
      "Broken.plist", text[..<number.upperBound] + "1" + text[number.upperBound...].drop { $0.isNumber })
    let fault = try run(folder, ["doctor", "plist", broken, "--json"] + server)
    #expect(fault.exit == .code(65))
    #expect(errors(fault).count == 1)
    #expect(errors(fault).first?.hasPrefix("plist.allowance: BADownloadAllowance is 1, but") == true)

    // An authority that is not the server's.
    let other = try folder.write("other.pem", try TestAuthority().authority.certificatePEM)
    let stranger = try run(
      folder, ["doctor", "--manifest", daemon.clientBase + daemon.manifestPath, "--ca", other, "--json"])
    #expect(stranger.exit == .code(78))
    #expect(errors(stranger).first?.hasPrefix("certificate.chain: ") == true)
  }

  @Test func anotherProgramOnThePortAndAShrunkManifestAreFound() throws {
    let daemon = try TestDaemon.service()
    let folder = daemon.folder
    let authority = try folder.write("ca.pem", daemon.authorityPEM)
    let admin = daemon.admin()
    let app = try admin.app()
    for name in ["a", "b"] {
      _ = try admin.push(name, try Packs.make(name), app: app)
      _ = try admin.release([(name, nil)], app: app).expect(201)
    }
    let url = daemon.clientBase + daemon.manifestPath
    let before = try daemon.client().get(daemon.manifestPath).expect(200).text
    let earlier = before.replacingOccurrences(of: #""id":"a""#, with: #""id":"gone""#)
    let path = try folder.write("before.json", earlier)
    let shrunk = try run(folder, ["doctor", "--manifest", url, "--before", path, "--ca", authority, "--json"])
    #expect(shrunk.exit == .code(65))
    #expect(
      errors(shrunk) == [
        "manifest.change: gone was in the earlier manifest and is not in this one, and devices delete it."
      ])

    // A second configuration for the same port, with a state folder of its own.
    let text = try String(contentsOfFile: folder.file("packhouse.json"), encoding: .utf8)
    let other = try folder.write(
      "other.json", text.replacingOccurrences(of: folder.file("state"), with: folder.file("state2")))
    let taken = try run(folder, ["doctor", "--config", other, "--ca", authority, "--json"])
    #expect(taken.exit == .code(78))
    #expect(errors(taken).contains("config.port: Another program listens on 127.0.0.1:\(daemon.port)."))
    let wrong = try folder.write("wrong.json", "{ nonsense: 1 }")
    #expect(try run(folder, ["doctor", "--config", wrong, "--json"]).exit == .code(78))
    #expect(try run(folder, ["doctor"]).exit == .code(64))
  }

  @Test func certificatesAreMadeCheckedAndNeverReplacedByAccident() throws {
    let folder = try TemporaryFolder()
    let place = folder.file("tls")
    let authority = "\(place)/ca.pem"
    #expect(try run(folder, ["cert", "dev-ca", "-o", place]).exit == .code(0))
    let key = try Data(contentsOf: URL(fileURLWithPath: "\(place)/ca.key"))
    let again = try run(folder, ["cert", "dev-ca", "-o", place])
    #expect(again.exit == .code(73))
    #expect(again.errors.contains("--force"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(place)/ca.key")) == key)
    #expect(
      try run(folder, ["cert", "leaf", "packs.example.com", "192.168.1.20", "--ca", authority, "-o", place]).exit
        == .code(0))
    for name in ["ca.key", "leaf.key"] {
      let mode = try FileManager.default.attributesOfItem(atPath: "\(place)/\(name)")[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    let check = ["cert", "check", "\(place)/leaf.pem", "--key", "\(place)/leaf.key", "--ca", authority, "--json"]
    #expect(try run(folder, check + ["--host", "192.168.1.20"]).exit == .code(0))
    let wrong = try run(folder, check + ["--host", "192.168.1.21"])
    #expect(wrong.exit == .code(65))
    #expect(errors(wrong).count == 1)
    let profile = folder.file("p.mobileconfig")
    #expect(try run(folder, ["cert", "profile", "--ca", authority, "-o", profile]).exit == .code(0))
    #expect(try run(folder, ["cert", "profile", "--ca", authority, "-o", profile]).exit == .code(73))
    #expect(try run(folder, ["cert", "profile", "--ca", authority, "-o", profile, "--force"]).exit == .code(0))
    #expect(try run(folder, ["cert", "leaf", "a b", "--ca", authority, "-o", place, "--force"]).exit == .code(65))
    #expect(try run(folder, ["cert", "leaf", "a", "--days", "900"]).exit == .code(64))
    #expect(try run(folder, ["cert", "check", folder.file("none.pem")]).exit == .code(66))
  }
}
