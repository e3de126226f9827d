import AssetPacks
import HTTPCore
import JSONText
import PackStore

// What the bodies of all that goes live have in common, and what follows it.
extension AdminResources {
  /// The app that a body is about, when the token may see it.
  func app(of body: RequestDocument, _ context: RequestContext) throws(APIFailure) -> AppRecord {
    let id = try body.related("app", type: "apps")
    try context.mustSee(app: id, "app", id)
    return try storedRelated("app") { () throws(StoreFailure) in try store.app(id) }
  }

  /// Lets devices have a change, and tells when the copies for a start without a catalog were not written.
  func published(_ failure: StoreFailure?, _ app: AppRecord, _ track: Track) {
    dependencies.published()
    if let failure {
      log.error(
        "The copies of the \(track.rawValue) manifests of \(app.bundleID) were not written: \(failure.sentence)")
    }
  }

  /// A version's number, which is a string on the wire.
  static func versionNumber(_ version: JSONCursor) throws(JSONShapeFailure) -> Int {
    let text = try version.string(bytes: 1...19)
    guard let number = Int(text), number > 0 else { throw version.outOfRange("a number above 0, as a string") }
    return number
  }

  /// Packs that may disappear from a manifest.
  static func confirmedRemovals(_ attributes: JSONObjectCursor) throws(JSONShapeFailure) -> Set<String> {
    var confirmed: Set<String> = []
    for pack in try attributes.optional("confirmedRemovals")?.array(maximum: 1000) ?? [] {
      confirmed.insert(try pack.string(bytes: 1...128))
    }
    return confirmed
  }

  /// What is to go live: at least one pack.
  static func items(_ attributes: JSONObjectCursor) throws(JSONShapeFailure) -> [ReleaseItem] {
    let packs = try attributes.required("packs", expected: "a list of packs")
    var items: [ReleaseItem] = []
    for pack in try packs.array(maximum: 1000) { items.append(try Self.item(pack)) }
    guard !items.isEmpty else { throw packs.outOfRange("at least one pack", found: "none") }
    return items
  }

  private static func item(_ pack: JSONCursor) throws(JSONShapeFailure) -> ReleaseItem {
    let pack = try pack.object(allowing: ["assetPackIdentifier", "version"])
    let identifier = try pack.required("assetPackIdentifier", expected: "an asset pack id").string(bytes: 1...128)
    guard let version = pack.optional("version") else { return ReleaseItem(identifier) }
    return ReleaseItem(identifier, number: try versionNumber(version))
  }
}
