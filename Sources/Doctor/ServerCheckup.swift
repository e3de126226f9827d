import AssetPacks
import HTTPClient
import TLS

/// Looks at a running server from outside, as a device does: connection, certificate, manifest, packs.
package struct ServerCheckup {
  private let manifestURL: String
  private let authority: PEMText?
  private let previous: [UInt8]?
  private let now: Int64
  private let patience: ClientPatience
  /// Packs that are asked for; the others are taken to be like them.
  private static let packLimit = 50

  /// What was found, and what an app has to be prepared for.
  package struct Outcome {
    package var findings: [Finding] = []
    package var facts = DeliveryFacts()
    /// The manifest's bytes as they came; nil when they did not.
    package var manifestBytes: [UInt8]?
    package var manifest: ReceivedManifest?

    package init() {}
  }

  /// - Parameters:
  ///   - authority: the root that devices trust by a profile; nil for the machine's own.
  ///   - previous: an earlier manifest to compare with.
  ///   - now: seconds since 1970 UTC.
  package init(
    manifestURL: String, authority: PEMText? = nil, previous: [UInt8]? = nil, now: Int64,
    patience: ClientPatience = ClientPatience(connect: .seconds(15), noProgress: .seconds(30))
  ) {
    self.manifestURL = manifestURL
    self.authority = authority
    self.previous = previous
    self.now = now
    self.patience = patience
  }

  package func run() -> Outcome {
    var outcome = Outcome()
    if manifestURL.lowercased().hasPrefix("http://") {
      outcome.findings.append(
        .error(
          "server.https", "\(manifestURL) is http, and devices refuse it, on localhost too.",
          fix: "Serve it over https: packhouse cert dev-ca and packhouse cert leaf make certificates."))
      return outcome
    }
    do throws(HTTPClientFailure) {
      let url = try HTTPSURL(manifestURL)
      outcome.facts = DeliveryFacts(manifestURL: url)
      guard try checkConnection(url, &outcome) else { return outcome }
      let client = HTTPSClient(tls: try trust(), patience: patience, userAgent: "packhouse-doctor")
      try checkManifest(url, client, &outcome)
      if let manifest = outcome.manifest { checkPacks(manifest, client, &outcome) }
    } catch {
      outcome.findings.append(Self.unreachable(error))
    }
    return outcome
  }

  private static func unreachable(_ failure: HTTPClientFailure) -> Finding {
    .error(
      "server.reachable", failure.sentence, fix: "Check address, port and firewall, and that the server is running.")
  }

  private func trust() throws(HTTPClientFailure) -> ClientTLS {
    do throws(TLSFailure) {
      if let authority { return try ClientTLS(trust: .only(authority)) }
      return try ClientTLS()
    } catch { throw .tls(error) }
  }

  /// Whether the certificate is good enough to go on.
  private func checkConnection(_ url: HTTPSURL, _ outcome: inout Outcome) throws(HTTPClientFailure) -> Bool {
    let probe = try url.probe(patience: patience)
    outcome.findings.append(
      probe.isAcceptedByDevices
        ? .ok("server.tls", "\(url.label) speaks \(probe.version) with \(probe.cipher).")
        : .error(
          "server.tls", "\(url.label) speaks \(probe.version) with \(probe.cipher), which devices refuse.",
          fix: "Allow TLS 1.2 or 1.3 with ECDHE and AES-GCM or ChaCha20."))
    let checks: [CertificateCheck]
    do throws(TLSFailure) {
      checks = try CertificateExamination.examine(
        chain: probe.chain, host: url.host, trust: authority.map { .only($0) } ?? .system, now: now)
    } catch { throw .tls(error) }
    outcome.findings += checks.map(Finding.init)
    return checks.allSatisfy { check in
      check.verdict != .fault || !["certificate.chain", "certificate.name", "certificate.expiry"].contains(check.name)
    }
  }

  private func checkManifest(
    _ url: HTTPSURL, _ client: HTTPSClient, _ outcome: inout Outcome
  ) throws(HTTPClientFailure) {
    var request = ClientRequest("GET", url, fields: [(name: "Accept", value: "application/json")])
    request.redirectLimit = 5
    let (response, body) = try client.collect(request, limit: 16 << 20)
    outcome.facts.add(host: response.url.host, "the manifest after its redirects")
    outcome.findings += AnswerCheckup.manifest(response, asked: url, now: now)
    guard response.status == 200 else { return }
    outcome.manifestBytes = body
    let (manifest, findings) = ManifestCheckup(body, previous: previous).run()
    outcome.findings += findings
    outcome.manifest = manifest
    if let manifest { outcome.facts.add(manifest) }
    // Devices add a query of their own, whose names are not documented.
    let query = response.url.appending(query: "packhouse-doctor=1")
    let answer = try client.collect(ClientRequest("GET", query), limit: 16 << 20).response
    outcome.findings.append(
      answer.status == 200
        ? .ok("server.query", "A query that the server does not know does not change the answer.")
        : .error(
          "server.query", "\(query) answers with the status \(answer.status), and devices send a query of their own.",
          fix: "Answer the manifest's path whatever its query is."))
  }

  private func checkPacks(_ manifest: ReceivedManifest, _ client: HTTPSClient, _ outcome: inout Outcome) {
    var faulty = 0
    let asked = manifest.entries.prefix(Self.packLimit)
    for entry in asked {
      let findings = check(entry, client, &outcome.facts)
      if findings.contains(where: { $0.level == .error }) { faulty += 1 }
      outcome.findings += findings
    }
    if faulty < asked.count || asked.isEmpty {
      let rest = manifest.entries.count - asked.count
      outcome.findings.append(
        .ok(
          "pack.served",
          "\(asked.count - faulty) of \(asked.count) packs are served with their length and in ranges"
            + "\(rest > 0 ? "; \(rest) more were not asked for" : "")."))
    }
  }

  private func check(
    _ entry: ReceivedManifest.Entry, _ client: HTTPSClient, _ facts: inout DeliveryFacts
  ) -> [Finding] {
    do throws(HTTPClientFailure) {
      let url = try HTTPSURL(entry.url)
      var head = ClientRequest("HEAD", url)
      head.redirectLimit = 5
      let response = try client.collect(head, limit: 1 << 16).response
      facts.add(host: response.url.host, "\(entry.pack.id) after its redirects")
      var findings = AnswerCheckup.pack(response, asked: url, entry.pack)
      guard response.status == 200, entry.pack.downloadSize > 0 else { return findings }
      let range = AnswerCheckup.range(try firstByte(response.url, client), entry.pack)
      findings += range
      guard range.isEmpty, response["ETag"] != nil else { return findings }
      let stale = try firstByte(response.url, client, more: [(name: "If-Range", value: "\"packhouse-doctor\"")])
      return findings + AnswerCheckup.staleRange(stale, entry.pack)
    } catch {
      return [
        .error(
          "pack.status", "\(entry.pack.id) cannot be downloaded: \(PlistCheckup.clause(error.sentence)).",
          fix: "Let \(entry.url) answer from where devices are.")
      ]
    }
  }
}

extension ServerCheckup {
  /// The head of the answer to a request for one byte. A server without ranges would send everything: the rest is not
  /// read.
  private func firstByte(
    _ url: HTTPSURL, _ client: HTTPSClient, more: [(name: String, value: String)] = []
  ) throws(HTTPClientFailure) -> ClientResponse {
    var seen: ClientResponse?
    let request = ClientRequest("GET", url, fields: [(name: "Range", value: "bytes=0-0")] + more)
    do throws(HTTPClientFailure) {
      return try client.perform(request) { response, bytes throws(HTTPClientFailure) in
        seen = response
        if response.status != 206 || bytes.count > 1 { throw .responseTooLarge(url.label, limit: 1) }
      }
    } catch {
      if let seen { return seen }
      throw error
    }
  }
}

extension Finding {
  /// What a certificate's examination says.
  package init(_ check: CertificateCheck) {
    let level: Level =
      switch check.verdict {
      case .ok: .ok
      case .warning: .warning
      case .fault: .error
      }
    self.init(check: check.name, level: level, sentence: check.sentence, fix: check.fix)
  }
}
