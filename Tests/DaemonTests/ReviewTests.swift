import AssetPacks
import Foundation
import Testing
import TestSupport

/// Reviews over the admin API: the people, the states, and what devices get.
@Suite(.waits) struct ReviewTests {
  private struct Server {
    let daemon: TestDaemon
    /// Holds the role admin, so that only the policy keeps it from approving what it submitted.
    let submitter: AdminClient
    let reviewer: AdminClient
    let web: WebClient
    let app: String

    init(_ policy: String, settings: String = "") throws {
      daemon = try TestDaemon.service(settings: settings)
      submitter = daemon.admin()
      reviewer = daemon.admin()
      reviewer.token = try TestDaemon.makeToken(.reviewer, state: daemon.state)
      web = daemon.client()
      app = try submitter.app()
      _ = try submitter.update("apps", app, ["reviewPolicy": policy]).expect(200)
    }

    func push(_ id: String, _ text: String) throws -> APIResource {
      let version = try submitter.push(id, try Packs.make(id, Array(text.utf8)), app: app)
      guard version.text("state") == "COMPLETE" else { throw Failure("\(version.json)") }
      return version
    }

    func version(_ id: String) throws -> APIResource {
      try submitter.get("/v1/backgroundAssetVersions/\(id)").expect(200).resource
    }

    /// A draft with these versions, and its items.
    func draft(_ versions: String..., track: String) throws -> (id: String, items: [String]) {
      let submission = try submitter.create(
        "reviewSubmissions", ["track": track, "platform": "IOS"], ("app", "apps", app)
      ).expect(201).resource
      return (submission.id, try versions.map { try add($0, to: submission.id).expect(201).resource.id })
    }

    func add(_ version: String, to submission: String) throws -> Answer {
      let relationships: [String: Any] = [
        "reviewSubmission": ["data": ["type": "reviewSubmissions", "id": submission]],
        "backgroundAssetVersion": ["data": ["type": "backgroundAssetVersions", "id": version]],
      ]
      return try submitter.send(
        "POST", "/v1/reviewSubmissionItems",
        json: ["data": ["type": "reviewSubmissionItems", "relationships": relationships]])
    }

    func submit(_ id: String) throws -> Answer { try submitter.update("reviewSubmissions", id, ["submitted": true]) }

    func decide(
      _ decision: String, submission: String? = nil, item: String? = nil, reason: String? = nil,
      by client: AdminClient? = nil
    ) throws -> Answer {
      var attributes: [String: Any] = ["decision": decision]
      if let reason { attributes["reason"] = reason }
      let target =
        submission.map { ("reviewSubmission", "reviewSubmissions", $0) }
        ?? ("reviewSubmissionItem", "reviewSubmissionItems", item ?? "")
      return try (client ?? reviewer).create("reviewDecisions", attributes, target)
    }

    func state(_ id: String) throws -> String? {
      try reviewer.get("/v1/reviewSubmissions/\(id)").expect(200).resource.text("state")
    }

    /// The packs of a track's manifest with their versions; nil when there is none.
    func manifest(_ track: String) throws -> [String: Int]? {
      let answer = try web.get("/apps/\(TestDaemon.app)/\(track)/manifest.json")
      if answer.status == 404 { return nil }
      let packs = try answer.expect(200).json["assetPacks"] as? [[String: Any]] ?? []
      let pairs = packs.map { ($0["id"] as? String ?? "", $0["version"] as? Int ?? 0) }
      return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
  }

  @Test func fromThePushThroughBothReviewsToProduction() throws {
    let server = try Server("fourEyes")
    let first = try server.push("p", "one")
    #expect(try server.manifest("internal") == ["p": 1])
    let direct = try server.submitter.release([("p", nil)], app: server.app, track: "beta")
    #expect(direct.status == 409 && direct.code == "REVIEW_REQUIRED")
    #expect(direct.detail.contains("reviewSubmissions") && direct.detail.contains("packhouse review submit"))

    // The beta review rejects the first version.
    let (beta, items) = try server.draft(first.id, track: "beta")
    #expect(try server.submit(beta).expect(200).resource.text("state") == "WAITING_FOR_REVIEW")
    #expect(try server.version(first.id).text("externalBetaState") == "WAITING_FOR_REVIEW")
    let wordless = try server.decide("reject", item: items[0])
    #expect(wordless.status == 422 && wordless.pointer == "/data/attributes/reason")
    let rejection = try server.decide("reject", item: items[0], reason: "The sky is green.").expect(201)
    #expect(rejection.fields["location"] == "/v1/reviewDecisions/\(rejection.resource.id)")
    #expect(try server.version(first.id).text("externalBetaState") == "REJECTED")
    #expect(try server.state(beta) == "UNRESOLVED_ISSUES")
    let item = try server.submitter.get("/v1/reviewSubmissionItems/\(items[0])").expect(200).resource
    #expect(item.text("state") == "REJECTED" && item.text("reason") == "The sky is green.")
    #expect(try server.manifest("beta") == nil)

    // The next one takes its place in the same submission.
    let second = try server.push("p", "two")
    let better = try server.add(second.id, to: beta).expect(201).resource
    let early = try server.submit(beta)
    #expect(early.status == 409 && early.code == "SUBMISSION_NOT_READY" && early.detail.contains("p 1"))
    _ = try server.submitter.update("reviewSubmissionItems", items[0], ["removed": true]).expect(200)
    _ = try server.submit(beta).expect(200)
    let own = try server.decide("approve", item: better.id, by: server.submitter)
    #expect(own.status == 403 && own.code == "REVIEWER_IS_SUBMITTER")
    _ = try server.decide("approve", item: better.id).expect(201)
    #expect(try server.state(beta) == "COMPLETE")
    #expect(try server.manifest("beta") == ["p": 2])
    #expect(try server.manifest("production") == nil)

    // The same bytes go on to production.
    let (production, _) = try server.draft(second.id, track: "production")
    _ = try server.submit(production).expect(200)
    let rotated = server.daemon.admin()
    rotated.token = try TestDaemon.makeToken(.admin, state: server.daemon.state)
    for client in [server.submitter, rotated] {
      let refused = try server.decide("approve", submission: production, by: client)
      #expect(refused.status == 403 && refused.code == "REVIEWER_IS_SUBMITTER")
      #expect(refused.detail.contains("somebody else"))
      #expect(try server.state(production) == "WAITING_FOR_REVIEW")
    }
    #expect(try server.manifest("production") == nil)
    _ = try server.decide("begin", submission: production).expect(201)
    #expect(try server.version(second.id).text("appStoreState") == "IN_REVIEW")
    _ = try server.decide("approve", submission: production, reason: "Fine now.").expect(201)
    #expect(try server.manifest("production") == ["p": 2])
    #expect(try server.version(second.id).text("appStoreState") == "READY_FOR_DISTRIBUTION")
    let bytes = try Packs.make("p", Array("two".utf8))
    #expect(try server.web.get("/apps/\(TestDaemon.app)/packs/2/p").expect(200).body == bytes)
    let again = try server.decide("approve", submission: production)
    #expect(again.status == 409 && again.code == "STATE_NOT_ALLOWED")
    let decisions = try server.submitter.get("/v1/reviewSubmissions/\(production)/decisions").expect(200).resources
    #expect(decisions.map { $0.text("decision") } == ["begin", "approve"])
    #expect(decisions.map { $0.text("reviewer") } == ["reviewer", "reviewer"])
  }

  @Test func severalPacksGoLiveTogetherAndOutliveARestart() throws {
    let server = try Server("required")
    let (a, b) = (try server.push("a", "1"), try server.push("b", "1"))
    let (id, items) = try server.draft(a.id, b.id, track: "production")
    _ = try server.submit(id).expect(200)
    _ = try server.decide("approve", item: items[1]).expect(201)
    #expect(try server.version(b.id).text("appStoreState") == "ACCEPTED")
    #expect(try server.manifest("production") == nil)
    try server.daemon.kill()
    try server.daemon.start()
    #expect(try server.state(id) == "IN_REVIEW")
    _ = try server.decide("approve", submission: id).expect(201)
    #expect(try server.manifest("production") == ["a": 1, "b": 1])
    let listed = try server.submitter.get("/v1/reviewSubmissions/\(id)/items").expect(200).resources
    #expect(listed.map { $0.text("state") } == ["APPROVED", "APPROVED"])
    #expect(listed.map { $0.text("releaseState") } == ["READY_FOR_DISTRIBUTION", "READY_FOR_DISTRIBUTION"])
  }

  @Test func withoutAReviewSubmittingIsReleasing() throws {
    let server = try Server("none")
    let version = try server.push("p", "1")
    let (id, _) = try server.draft(version.id, track: "production")
    #expect(try server.submit(id).expect(200).resource.text("state") == "COMPLETE")
    #expect(try server.manifest("production") == ["p": 1])
  }

  @Test func requestsThatAreWrongAreRefusedWithTheField() throws {
    let server = try Server("required")
    let version = try server.push("p", "1")
    let (id, items) = try server.draft(version.id, track: "production")
    func patch(_ attributes: [String: Any]) throws -> Answer {
      try server.submitter.update("reviewSubmissions", id, attributes)
    }
    #expect(try patch(["submitted": false]).pointer == "/data/attributes/submitted")
    #expect(try patch(["submitted": true, "canceled": true]).status == 422)
    #expect(try patch(["approved": true]).code == "UNKNOWN_FIELD")
    #expect(try patch(["confirmedRemovals": ["../x"]]).status == 422)
    #expect(try patch(["confirmedRemovals": ["p"]]).expect(200).resource["confirmedRemovals"] as? [String] == ["p"])
    let create = server.submitter
    #expect(try create.create("reviewSubmissions", ["platform": "iOS"], ("app", "apps", server.app)).status == 422)
    #expect(try create.create("reviewSubmissions", ["track": "internal"], ("app", "apps", server.app)).status == 422)
    #expect(try create.create("reviewSubmissions", [:], ("app", "apps", "x")).code == "RELATIONSHIP_INVALID")
    #expect(try server.add("nothing", to: id).code == "RELATIONSHIP_INVALID")
    #expect(try server.add(version.id, to: id).code == "ALREADY_EXISTS")
    #expect(try server.decide("maybe", submission: id).status == 422)
    #expect(try server.decide("approve", submission: id).code == "STATE_NOT_ALLOWED")
    #expect(try server.decide("approve", submission: "nothing").code == "RELATIONSHIP_INVALID")
    #expect(try create.update("reviewSubmissionItems", items[0], [:]).code == "MISSING_FIELD")
    #expect(try create.update("reviewSubmissionItems", items[0], ["resolved": true]).code == "STATE_NOT_ALLOWED")
    #expect(try create.get("/v1/reviewSubmissions?filter%5Bstate%5D=LOST").parameter == "filter[state]")
    let some = "/v1/reviewSubmissions?filter%5Bapp%5D=\(server.app)&filter%5Bstate%5D=READY_FOR_REVIEW,IN_REVIEW"
    #expect(try create.get(some).expect(200).resources.map(\.id) == [id])
    let whole = try create.get("\(some)&include=items").expect(200)
    #expect((whole.json["included"] as? [[String: Any]])?.map { APIResource($0).id } == items)
    let one = try create.get("/v1/reviewSubmissionItems/\(items[0])?include=backgroundAssetVersion").expect(200)
    #expect((one.json["included"] as? [[String: Any]])?.map { APIResource($0).id } == [version.id])
    // What has changed since it was read is not submitted.
    let seen = try create.get("/v1/reviewSubmissions/\(id)").fields["etag"] ?? ""
    _ = try patch(["confirmedRemovals": []]).expect(200)
    let late = try create.web.send(
      "PATCH", "/v1/reviewSubmissions/\(id)",
      [("Authorization", "Bearer \(create.token ?? "")"), ("If-Match", seen)],
      body: Array(
        #"{"data":{"type":"reviewSubmissions","id":"\#(id)","attributes":{"submitted":true}}}"#.utf8))
    #expect(late.status == 412 && late.code == "PRECONDITION_FAILED")
    #expect(try create.send("DELETE", "/v1/reviewSubmissionItems/\(items[0])").status == 204)
    #expect(try create.send("DELETE", "/v1/reviewSubmissionItems/\(items[0])").status == 404)
    // Who may not publish or review may only look.
    let viewer = server.daemon.admin()
    viewer.token = try TestDaemon.makeToken(.viewer, state: server.daemon.state)
    #expect(try viewer.get("/v1/reviewSubmissions/\(id)").status == 200)
    #expect(try server.decide("approve", submission: id, by: viewer).code == "FORBIDDEN")
    #expect(try viewer.update("reviewSubmissions", id, ["submitted": true]).code == "FORBIDDEN")
    #expect(try server.reviewer.update("reviewSubmissions", id, ["submitted": true]).code == "FORBIDDEN")
  }

  @Test func aTokenForAnotherAppSeesNothingOfAReview() throws {
    let server = try Server("required")
    let version = try server.push("p", "1")
    let (id, items) = try server.draft(version.id, track: "production")
    _ = try server.submit(id).expect(200)
    let decision = try server.decide("begin", submission: id).expect(201).resource.id
    let other = try server.submitter.app("com.example.other")
    let stranger = server.daemon.admin()
    stranger.token = try TestDaemon.makeToken(.admin, state: server.daemon.state, app: other)
    for path in [
      "reviewSubmissions/\(id)", "reviewSubmissions/\(id)/items", "reviewSubmissions/\(id)/decisions",
      "reviewSubmissionItems/\(items[0])", "reviewDecisions/\(decision)",
    ] {
      #expect(try server.submitter.get("/v1/\(path)").status == 200, "\(path)")
      #expect(try stranger.get("/v1/\(path)").status == 404, "\(path)")
    }
    for query in ["", "?filter%5Bapp%5D=\(server.app)"] {
      let list = try stranger.get("/v1/reviewSubmissions\(query)").expect(200)
      #expect(list.resources.isEmpty && list.text.contains(#""total":0"#))
    }
    #expect(try server.decide("approve", submission: id, by: stranger).status == 404)
    #expect(try server.decide("approve", item: items[0], by: stranger).status == 404)
    #expect(try stranger.update("reviewSubmissions", id, ["canceled": true]).status == 404)
    #expect(try stranger.update("reviewSubmissionItems", items[0], ["removed": true]).status == 404)
    #expect(try stranger.send("DELETE", "/v1/reviewSubmissionItems/\(items[0])").status == 404)
    #expect(try server.state(id) == "IN_REVIEW")
  }

  @Test func whatWaitsForTooLongIsCounted() throws {
    let server = try Server("required", settings: #"deadlines: { interval: "1 s", draft: "1 s" },"#)
    let version = try server.push("p", "1")
    _ = try server.draft(version.id, track: "production")
    let deadline = ContinuousClock.now + .seconds(60)
    var counts: [Double?] = []
    repeat {
      let text = try PrometheusText(try server.submitter.get("/metrics").expect(200).body)
      counts = ["submission", "item", "version"].map { text.value("packhouse_stuck_states", ["kind": $0]) }
      usleep(50_000)
    } while counts != [1, 1, 0] && ContinuousClock.now < deadline
    #expect(counts == [1, 1, 0])
    try server.daemon.stop()
    #expect(server.daemon.process.errors.contains("is stuck: it is READY_FOR_REVIEW for longer than 1 s"))
  }
}
