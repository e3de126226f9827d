import HTTPCore
import JSONText
import PackStore

extension RequestContext {
  /// The app that something new is for, from the relationship `app`; nil stands for all apps, which a token that is for
  /// one app cannot give.
  func optionalApp(_ body: RequestDocument, store: PackStore) throws(APIFailure) -> String? {
    guard body.hasRelationship("app") else {
      guard let only = identity?.appID else { return nil }
      throw APIFailure(
        .forbidden,
        "The token is for one app only; name that app in the relationship app (\(only)), or use a token for all apps.")
    }
    let id = try body.related("app", type: "apps")
    try mustSee(app: id, "app", id)
    do throws(StoreFailure) {
      return try store.app(id).id
    } catch {
      guard case .notFound = error else { throw APIFailure(error) }
      throw APIFailure(.relationshipInvalid, error.sentence, source: .pointer(RequestDocument.pointer(to: "app")))
    }
  }

  /// Hides what belongs to another app, or to all of them, from a token that is for one app only.
  func mustOwn(app id: String?, _ kind: String, _ name: String) throws(APIFailure) {
    guard let only = identity?.appID, only != id else { return }
    throw APIFailure(.notFound, "There is no \(kind) \(name).")
  }

  /// The app that a list is narrowed to: `filter[app]`, or the only one that the token is for.
  func wantedApp(_ query: Query) throws(APIFailure) -> String? {
    guard let wanted = query["filter[app]"] else { return identity?.appID }
    try mustSee(app: wanted, "app", wanted)
    return wanted
  }
}
