import AssetPacks
import HTTPCore
import JSONText
import PackStore

// Packs go into the archive, and come out of it while their bytes are there.
extension AdminResources {
  var archiveRoutes: [Route] {
    [
      Route(
        .patch, "/v1/backgroundAssets/{id}", .publisher, updatePack,
        .updates(
          Self.packShape, "Archives an asset pack, or brings it back",
          attributes: [
            ("archived", Schema.flag),
            ("confirmedRemovals", Schema.optional(Schema.list(Schema.text(1...128), 0...1000))),
            ("reason", Schema.optional(Schema.text(1...1000))),
          ], required: ["archived"]))
    ]
  }

  private func updatePack(_ call: Call) throws(APIFailure) -> Message {
    let pack = try stored { () throws(StoreFailure) in try store.pack(call.id) }
    try call.mustSee(app: pack.appID, "asset pack", call.id)
    let body = try RequestDocument(
      call.request, type: "backgroundAssets", id: call.id, attributes: ["archived", "confirmedRemovals", "reason"])
    let (archived, confirmed, reason) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      var confirmed: Set<String> = []
      for name in try body.attributes.optional("confirmedRemovals")?.array(maximum: 1000) ?? [] {
        confirmed.insert(try name.string(bytes: 1...128))
      }
      return (
        try body.attributes.required("archived", expected: "true or false").bool(), confirmed,
        try body.attributes.optional("reason")?.string(bytes: 1...1000)
      )
    }
    let changed = try stored(pointer: "/data/attributes/archived") { () throws(StoreFailure) in
      archived
        ? try store.archivePack(call.id, confirmedRemovals: confirmed, actor: call.actor, reason: reason)
        : try store.restorePack(call.id, actor: call.actor, reason: reason)
    }
    surroundings.published()
    return single(resource(changed))
  }
}
