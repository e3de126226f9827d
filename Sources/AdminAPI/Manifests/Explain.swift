import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `explanations`: which version a request gets, and why.
extension AdminResources {
  var explainRoutes: [Route] {
    [
      Route(
        .get, "/v1/apps/{id}/explain", .viewer, .path(.app), explain,
        .document("Which version of each pack a request for a manifest gets, and why"))
    ]
  }

  private func explain(_ context: RequestContext, _ app: AppRecord) throws(APIFailure) -> Message {
    let query = try Query(context.request, allowing: ["track", "platform", "lane", "clientKey", "address"])
    let track = try query.choice("track", Track.self) ?? .production
    let scope = try query["platform"].map { text throws(APIFailure) in try Self.scope(text) } ?? .all
    let client: ClientIdentity =
      if let key = query["clientKey"], !key.isEmpty {
        .key(key)
      } else if let address = query["address"] {
        .address(address)
      } else {
        .unknown
      }
    if case .address(let text) = client, RolloutBucket.bucket(ofAddress: text, salt: 0) == nil {
      throw APIFailure(
        .parameterInvalid, "address is \(text); expected an IPv4 or IPv6 address without brackets and port.",
        source: .parameter("address"))
    }
    let explanation = try stored { () throws(StoreFailure) in
      try store.explain(app: app.id, track: track, scope: scope, lane: query["lane"], client: client)
    }
    return .json(200, ["data": Self.json(explanation, path: query.target, app: app.id)])
  }

  /// A platform as devices name it, in any letter case.
  private static func scope(_ text: String) throws(APIFailure) -> ManifestScope {
    guard let platform = PlatformQuery.platform(in: Array("platform=\(text)".utf8)) else {
      let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIFailure(
        .parameterInvalid, "platform is \(text); expected one of \(known).", source: .parameter("platform"))
    }
    return .platform(platform)
  }

  private static func json(_ explanation: Explanation, path: String, app: String) -> JSONValue {
    let packs: [JSONValue] = explanation.packs.map { pack in
      [
        "assetPackIdentifier": .string(pack.assetPackIdentifier),
        "version": .optional(pack.number.map { String($0) }), "reason": .string(pack.reason.rawValue),
        "detail": .string(pack.sentence),
      ]
    }
    let rollout: JSONValue =
      if let id = explanation.rolloutID, let percent = explanation.percent {
        [
          "id": .string(id), "percent": .integer(percent),
          "bucket": .optionalInteger(explanation.bucket.map { Int64($0) }),
        ]
      } else {
        .null
      }
    return [
      "type": "explanations", "id": .string("\(app)-\(explanation.track.rawValue)"),
      "attributes": [
        "track": .string(explanation.track.rawValue), "lane": .optional(explanation.lane),
        "platform": .string(explanation.scope.name), "manifestURL": .string(explanation.manifestURL),
        "served": .bool(explanation.isServed), "rollout": rollout, "packs": .array(packs),
      ],
      "relationships": ["app": ["data": ["type": "apps", "id": .string(app)]]],
      "links": ["self": .string(path)],
    ]
  }
}
