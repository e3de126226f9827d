import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `releasePreviews`: what a release would cost devices.
extension AdminResources {
  var previewRoutes: [Route] {
    [
      Route(
        .post, "/v1/releasePreviews", .viewer, .body("app", .app), Self.newPreview, previewRelease,
        .creates(Self.previewShape, "What a release would cost devices; nothing changes", status: 200))
    ]
  }

  private static let newPreview = BodyShape(
    "releasePreviews", .track, .releaseItems, .confirmedRemovals,
    Field("allowances", allowances, or: DownloadAllowances()))

  private static let allowances: ValueShape<DownloadAllowances> = {
    let fields = DownloadAllowances.Key.allCases.map { ($0, Field($0.rawValue, .integer(0...Int.max))) }
    let names = fields.map(\.1.name)
    return ValueShape(Schema.object(fields.map { ($0.1.name, $0.1.schema) }, required: [])) {
      (value) throws(JSONShapeFailure) in
      let members = try value.object(allowing: names)
      var values: [DownloadAllowances.Key: Int64] = [:]
      for (key, field) in fields { values[key] = try field.read(members).map { Int64($0) } }
      return DownloadAllowances(values)
    }
  }()

  private static let previewShape = ResourceShape(
    type: "releasePreviews",
    attributes: [
      ("track", Schema.choice(of: Track.self)), ("packs", Schema.list(Schema.anyObject)),
      ("devices", Schema.list(Schema.anyObject)), ("wouldBeRefused", Schema.flag),
      ("refusal", Schema.anyObject), ("warnings", Schema.list(Schema.anyObject)),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private func previewRelease(
    _ context: RequestContext, _ app: AppRecord, _ body: (Track, [ReleaseItem], Set<String>, DownloadAllowances)
  ) throws(APIFailure) -> Message {
    let (track, items, confirmed, allowances) = body
    let preview = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.previewRelease(
        app: app.id, track: track, packs: items, confirmedRemovals: confirmed, allowances: allowances)
    }
    return .json(200, ["data": Self.resource(preview, app: app)])
  }

  private static func resource(_ preview: ReleasePreview, app: AppRecord) -> JSONValue {
    let packs: [JSONValue] = preview.packs.map { pack in
      [
        "assetPackIdentifier": .string(pack.assetPackIdentifier), "version": .string(String(pack.number)),
        "previousVersion": .optional(pack.previousNumber.map { String($0) }),
        "downloadSize": .integer(pack.downloadSize), "installSize": .integer(pack.installSize),
        "downloadPolicy": .string(pack.policy),
      ]
    }
    let warnings = preview.warnings.map { warning($0.code, $0.description, refuses: false) }
    let refusals = preview.refusal.map { [warning($0.code.rawValue, $0.sentence, refuses: true)] } ?? []
    return [
      "type": "releasePreviews", "id": .string("\(app.id)-\(preview.track.rawValue)"),
      "attributes": [
        "track": .string(preview.track.rawValue), "packs": .array(packs),
        "devices": .array(preview.devices.map(device)), "wouldBeRefused": .bool(preview.refusal != nil),
        "refusal": preview.refusal.map(refusal) ?? .null, "warnings": .array(refusals + warnings),
      ],
      "relationships": ["app": ["data": ["type": "apps", "id": .string(app.id)]]],
    ]
  }

  private static func warning(_ code: String, _ description: String, refuses: Bool) -> JSONValue {
    ["code": .string(code), "description": .string(description), "refuses": .bool(refuses)]
  }

  /// The error that the release would answer with, and what `packhouse release` would exit with.
  private static func refusal(_ refusal: Refusal) -> JSONValue {
    [
      "code": .string(refusal.code.rawValue), "status": .string(String(refusal.status)),
      "title": .string(refusal.title), "detail": .string(refusal.sentence),
      "exitCode": .integer(refusal.code.exitCode.rawValue),
    ]
  }

  private static func device(_ device: ReleasePreview.Device) -> JSONValue {
    let platform =
      switch device.scope {
      case .all: "ALL"
      case .platform(let platform): platform.apiName
      }
    let cost = device.cost
    func names(_ ids: [String]) -> JSONValue { .array(ids.map { .string($0) }) }
    return [
      "platform": .string(platform), "firstInstallation": sums(cost.firstInstallation), "update": sums(cost.update),
      "total": sums(cost.total), "appearing": names(cost.appearing), "updated": names(cost.updated),
      "disappearing": names(cost.disappearing),
      "allowances": .array(
        device.checks.map { check in
          [
            "key": .string(check.key.rawValue), "allowed": .integer(check.allowed), "needed": .integer(check.needed),
            "fits": .bool(check.fits),
          ]
        }),
    ]
  }

  private static func sums(_ sums: ReleaseCost.ByPolicy) -> JSONValue {
    func sum(_ sum: ReleaseCost.Sum) -> JSONValue {
      [
        "packs": .integer(sum.packs), "downloadBytes": .integer(sum.downloadBytes),
        "installBytes": .integer(sum.installBytes),
      ]
    }
    return ["essential": sum(sums.essential), "prefetch": sum(sums.prefetch), "onDemand": sum(sums.onDemand)]
  }
}
