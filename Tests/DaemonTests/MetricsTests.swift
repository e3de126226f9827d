import AssetPacks
import Foundation
import HTTPCore
import Testing

@testable import Daemon
@testable import HTTPServer
@testable import Observability
import PackStore
import TestSupport

@Suite(.waits) struct MetricsTests {
  private static let document = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/metrics.md").standardized

  private func scrape(_ daemon: TestDaemon, until isThere: (PrometheusText) -> Bool = { _ in true }) throws
    -> PrometheusText
  {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let answer = try daemon.admin().get("/metrics").expect(200)
      #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      let text = try PrometheusText(answer.body)
      if isThere(text) || ContinuousClock.now > deadline { return text }
      usleep(50_000)
    }
  }

  @Test func aViewerMayRead() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    #expect(try admin.get("/metrics").status == 200)
    admin.token = try TestDaemon.makeToken(.viewer, state: daemon.state)
    #expect(try admin.get("/metrics").status == 200)
    admin.token = nil
    #expect(try admin.get("/metrics").status == 401)
    #expect(try daemon.client().get("/metrics").status != 200)
  }

  @Test func whereMetricsAreOpenNobodyNeedsAToken() throws {
    let daemon = try TestDaemon.service(settings: "metrics: { open: true },")
    let admin = daemon.admin()
    admin.token = nil
    #expect(try admin.get("/metrics").status == 200)
    #expect(try admin.get("/v1/apps").status == 401)
  }

  @Test func whatHappensIsCounted() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let bytes = try Packs.make("p", Packs.noise(300_000))
    _ = try admin.push("p", bytes, app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let web = daemon.client()
    let path = "/apps/\(TestDaemon.app)/packs/1/p"
    #expect(try web.get(path).status == 200)
    #expect(try web.get(path, [("Range", "bytes=0-99")]).status == 206)
    #expect(try web.get(path, [("Range", "bytes=100-")]).status == 206)
    let tag = try web.get(daemon.manifestPath).fields["etag"] ?? ""
    #expect(try web.get(daemon.manifestPath, [("If-None-Match", tag)]).status == 304)
    #expect(try web.get("/nothing").status == 404)
    let version = ["app": TestDaemon.app, "pack": "p", "version": "1"]
    func delivered(_ result: String) -> [String: String] { version.merging(["result": result]) { $1 } }
    let parts = Double((bytes.count + 65_535) / 65_536)
    // Each loop shows what it has counted in its own second.
    let text = try scrape(daemon) { text in
      text.value("packhouse_deliveries_total", delivered("complete")) == 2
        && text.value("packhouse_deliveries_total", delivered("partial")) == 1
        && text.value("packhouse_http_requests_total", ["listener": "client", "status": "4xx"]) == 1
        && text.value("packhouse_http_requests_total", ["listener": "client", "status": "2xx"]) == 4
        && text.value("packhouse_http_responses_total", ["listener": "client", "kind": "not_modified"]) == 1
        && text.value("packhouse_upload_parts_received_total") == parts
    }
    #expect(text.value("packhouse_deliveries_total", delivered("complete")) == 2)
    #expect(text.value("packhouse_deliveries_total", delivered("partial")) == 1)
    #expect(text.value("packhouse_deliveries_total", delivered("aborted")) == 0)
    #expect(text.value("packhouse_delivered_bytes_total", version) == Double(2 * bytes.count))
    #expect(text.value("packhouse_http_requests_total", ["listener": "client", "status": "2xx"]) == 4)
    #expect(text.value("packhouse_http_responses_total", ["listener": "client", "kind": "not_modified"]) == 1)
    #expect(text.value("packhouse_versions", ["state": "COMPLETE"]) == 1)
    #expect(text.value("packhouse_upload_parts_received_total") == parts)
    #expect(text.value("packhouse_ready") == 1)
    #expect((text.value("packhouse_publishes_total", ["result": "served"]) ?? 0) >= 2)
    #expect((29...30).contains(text.value("packhouse_certificate_days_left", ["listener": "client"]) ?? 0))
    #expect((text.value("process_resident_memory_bytes") ?? 0) > 1_000_000)
    #expect((text.value("process_open_fds") ?? 0) > 10)
    let started = try #require(text.value("process_start_time_seconds"))
    #expect(abs(started - Date().timeIntervalSince1970) < 600)
  }

  /// Readings in which every family has a sample.
  private var readings: ServiceReadings {
    var readings = ServiceReadings()
    readings.listeners = [ListenerStatistics(name: "client")]
    readings.certificates = [.init(listener: "client", file: "a\\b\"c\nd.pem", notAfter: 86_400)]
    readings.quotas = [
      QuotaReading(bundleID: "com.example.game", used: 1, reserved: 2, limit: 3, packs: 4, packLimit: 5)
    ]
    readings.connectionLimits = [("client", 1)]
    readings.refusals = [("NOT_FOUND", 1)]
    readings.processingFailures = [("ARCHIVE_TOO_SHORT", 1)]
    readings.freeBytes = 1
    let label = DeliveryLabel(app: "com.example.game", pack: "p", version: 1, index: 0)
    var counts = DeliveryCounts()
    counts.complete = 1
    readings.deliveries = ([(label, counts)], counts)
    return readings
  }

  @Test func textIsWellFormedWhateverLabelsHold() throws {
    let text = try PrometheusText(MetricsText.render(readings.families))
    #expect(text.value("packhouse_certificate_days_left", ["file": "a\\b\"c\nd.pem"]) == 1)
    #expect(text.value("packhouse_deliveries_total", ["app": "other", "result": "complete"]) == 1)
    #expect(text.families.count == readings.families.count)
    #expect(
      String(
        decoding: MetricsText.render([MetricFamily("a", .gauge, "x\\y\nz", [.init([("l", "\"\\\n")], 1.5)])]),
        as: UTF8.self)
        == "# HELP a x\\\\y\\nz\n# TYPE a gauge\na{l=\"\\\"\\\\\\n\"} 1.5\n")
  }

  @Test func everyNameIsDocumentedWithItsTypeAndLabels() throws {
    let lines = try String(contentsOf: Self.document, encoding: .utf8).split(separator: "\n").map(String.init)
    let rows = lines.filter { $0.hasPrefix("| `") }
    let families = readings.families
    for family in families {
      guard let row = rows.first(where: { $0.hasPrefix("| `\(family.name)` | \(family.kind.rawValue) |") }) else {
        Issue.record("docs/metrics.md: add a row “| `\(family.name)` | \(family.kind.rawValue) | …”")
        continue
      }
      let labels = Set(family.samples.flatMap { $0.labels.map(\.name) }).subtracting(["le"])
      for label in labels {
        #expect(row.contains("`\(label)`"), "docs/metrics.md: \(family.name) has the label \(label)")
      }
      for sample in family.samples {
        for label in sample.labels where ["status", "kind", "limit", "reason", "result"].contains(label.name) {
          #expect(row.contains(label.value), "docs/metrics.md: \(family.name) has \(label.name)=\(label.value)")
        }
      }
    }
    let names = Set(families.map(\.name))
    for row in rows {
      let name = String(row.dropFirst(3).prefix { $0 != "`" })
      #expect(names.contains(name), "docs/metrics.md: there is no metric \(name)")
    }
  }
}
