import Foundation
import TLS
import Testing
import TestSupport

@testable import Doctor

/// A running server with faults, looked at from outside.
@Suite(.waits) struct ServerCheckupTests {
  private func look(_ server: BrokenServer, _ path: String) -> ServerCheckup.Outcome {
    ServerCheckup(
      manifestURL: server.base + path, authority: server.authority, now: Int64(Date().timeIntervalSince1970)
    ).run()
  }

  private func problems(_ outcome: ServerCheckup.Outcome) -> [String] {
    outcome.findings.filter { $0.level != .ok }.map { "\($0.level.rawValue) \($0.check)" }
  }

  @Test func eachFaultOfAServerIsFound() throws {
    let server = try BrokenServer()
    let outcome = look(server, "/manifest.json")
    #expect(
      problems(outcome) == [
        "error pack.length", "error pack.range", "error pack.range", "error pack.status", "warning pack.redirect",
        "error pack.if-range",
      ], "\(outcome.findings.map(\.text).joined())")
    let sentences = outcome.findings.map(\.sentence)
    #expect(sentences.contains("short has Content-Length 5, but its downloadSize in the manifest is 10."))
    #expect(
      sentences.contains(
        "whole answers a range request with 200, so an interrupted download starts from the beginning."))
    #expect(sentences.contains("\(server.base)/gone answers with the status 404."))
    // Where packs are led to has to be allowed too.
    #expect(outcome.facts.hosts.map(\.name) == ["localhost", "127.0.0.1"])
    #expect(outcome.facts.downloadSizes == .init(essential: 0, others: 60))
  }

  @Test func redirectsAndQueriesOfTheManifestAreLookedAt() throws {
    let server = try BrokenServer()
    #expect(problems(look(server, "/moved")).first == "warning server.manifest-redirect")
    #expect(problems(look(server, "/strict")).contains("error server.query"))
    let gone = look(server, "/none")
    #expect(problems(gone) == ["error server.manifest"])
    #expect(gone.manifest == nil)
  }

  @Test func withoutTheAuthorityNothingElseIsSaid() throws {
    let server = try BrokenServer()
    let now = Int64(Date().timeIntervalSince1970)
    let other = try CertificateAuthority.makeDevelopment(now: now)
    let outcome = ServerCheckup(
      manifestURL: "\(server.base)/manifest.json",
      authority: PEMText(file: "other.pem", bytes: other.certificatePEM), now: now
    ).run()
    #expect(problems(outcome) == ["error certificate.chain"])
    let late = ServerCheckup(
      manifestURL: "\(server.base)/manifest.json", authority: server.authority, now: now + 4000 * 86_400
    ).run()
    #expect(problems(late) == ["error certificate.expiry"])
    #expect(problems(ServerCheckup(manifestURL: "https://127.0.0.1:1/", now: now).run()) == ["error server.reachable"])
    #expect(problems(ServerCheckup(manifestURL: "http://h/", now: now).run()) == ["error server.https"])
    #expect(problems(ServerCheckup(manifestURL: "nonsense", now: now).run()) == ["error server.reachable"])
  }
}
