import HTTPCore
import PackStore

/// A kind of thing that belongs to an app: how to find it, and its app, by its id.
struct Owned<Record: Sendable>: Sendable {
  typealias Finder = @Sendable (PackStore, _ id: String) throws(StoreFailure) -> Record

  /// What sentences call it.
  let kind: RecordKind
  /// Its type in the API.
  let type: String
  let find: Finder
  /// The id of its app; nil when it is for all apps, and then hidden from a token that is for one.
  let app: @Sendable (Record) -> String?
}

/// Where the check is made, for the documentation and for the test of all routes.
enum ScopePlace: Sendable {
  /// It is about no app.
  case open
  /// It is about all apps: a token for one app only is refused with 403.
  case server
  /// It is a list, which holds what the token may see.
  case list
  /// The thing that the `{id}` of the path names.
  case path
  /// The things that relationships in the body name.
  case body
}

/// What a route is about. It is checked before the handler runs: a token for one app does not find what belongs to
/// another. The handler gets the records and never an id that nobody has checked.
struct Scope<Subject: Sendable>: Sendable {
  typealias Resolver = @Sendable (ScopedRequest) throws(APIFailure) -> Subject

  let place: ScopePlace
  private(set) var relationships = Relationships.none
  let resolve: Resolver

  init(_ place: ScopePlace, _ relationships: Relationships = .none, resolve: @escaping Resolver) {
    self.place = place
    self.relationships = relationships
    self.resolve = resolve
  }
}

/// What a scope is found in.
struct ScopedRequest {
  let context: RequestContext
  let store: PackStore
  /// The value of the path; nil when it has none.
  let id: String?
  /// Nil on routes without a body.
  let document: RequestDocument?

  /// The app that the token is for; nil for all of them.
  var onlyApp: String? { context.identity?.appID }

  /// The thing with that id, when the token may see it.
  func see<Record>(_ owned: Owned<Record>, _ id: String) throws(APIFailure) -> Record {
    let record: Record
    do throws(StoreFailure) { record = try owned.find(store, id) } catch { throw APIFailure(error) }
    try check(owned.app(record), owned.kind, id)
    return record
  }

  /// Hides what belongs to another app, or to all of them, from a token that is for one app only.
  private func check(_ app: String?, _ kind: RecordKind, _ name: String) throws(APIFailure) {
    guard let onlyApp, onlyApp != app else { return }
    throw APIFailure(.notFound(kind: kind, name: name))
  }

  /// The thing that a relationship of the body names. If there is none, the fault is in the body, not in the path.
  func related<Record>(_ name: String, _ owned: Owned<Record>) throws(APIFailure) -> Record {
    guard let document else { throw APIFailure(.internalFailure, "The route of \(context.request.path) has no body.") }
    let id = try document.related(name, type: owned.type)
    // The token must not learn whether another app exists.
    if owned.kind == .app { try check(id, .app, id) }
    let record: Record
    do throws(StoreFailure) {
      record = try owned.find(store, id)
    } catch {
      guard case .notFound = error else { throw APIFailure(error, pointer: RequestDocument.pointer(to: name)) }
      throw APIFailure(.relationshipInvalid, error.sentence, source: .pointer(RequestDocument.pointer(to: name)))
    }
    try check(owned.app(record), owned.kind, id)
    return record
  }

  /// Whether the body names a thing with that relationship.
  func has(_ name: String) -> Bool { document?.hasRelationship(name) ?? false }
}

extension Scope<Void> {
  /// It is about no app, and shows nothing of any.
  static var open: Scope { Scope(.open) { _ in } }

  /// It is about all apps; `sentence` says so to a token that is for one app only.
  static func server(_ sentence: String) -> Scope {
    Scope(.server) { (request) throws(APIFailure) in
      if request.onlyApp != nil { throw APIFailure(.forbidden, sentence) }
    }
  }
}

extension Scope {
  /// The thing that the `{id}` of the path names.
  static func path(_ owned: Owned<Subject>) -> Scope {
    Scope(.path) { (request) throws(APIFailure) in try request.see(owned, request.id ?? "") }
  }

  /// The thing that the `{id}` of the path names; a token that is for one app only is refused even for its own.
  static func path(_ owned: Owned<Subject>, serverOnly sentence: String) -> Scope {
    Scope(.path) { (request) throws(APIFailure) in
      let record = try request.see(owned, request.id ?? "")
      if request.onlyApp != nil { throw APIFailure(.forbidden, sentence) }
      return record
    }
  }

  /// The thing that a relationship in the body names.
  static func body(_ name: String, _ owned: Owned<Subject>) -> Scope {
    Scope(.body, .all([(name, owned.type)])) { (request) throws(APIFailure) in try request.related(name, owned) }
  }

  /// The things that two relationships in the body name.
  static func body<First, Second>(
    _ first: String, _ firstOwned: Owned<First>, _ second: String, _ secondOwned: Owned<Second>
  ) -> Scope where Subject == (First, Second) {
    Scope(.body, .all([(first, firstOwned.type), (second, secondOwned.type)])) { (request) throws(APIFailure) in
      (try request.related(first, firstOwned), try request.related(second, secondOwned))
    }
  }
}

/// The app that something is narrowed to or made for; nil stands for all of them.
struct AppScope: Sendable {
  let id: String?
}

extension Scope<AppScope> {
  /// A list of what belongs to the apps that the token may see.
  static var list: Scope { Scope(.list) { (request) throws(APIFailure) in AppScope(id: request.onlyApp) } }

  /// The same, which `filter[app]` narrows to one app.
  static var filteredList: Scope {
    Scope(.list) { (request) throws(APIFailure) in
      guard let wanted = request.context.request.queryItems.first(where: { $0.0 == "filter[app]" })?.1 else {
        return AppScope(id: request.onlyApp)
      }
      if let only = request.onlyApp, only != wanted { throw APIFailure(.notFound(kind: .app, name: wanted)) }
      return AppScope(id: wanted)
    }
  }

  /// The relationship `app` of the body names the app that something new is for. Without it, it is for all apps, which
  /// a token that is for one app cannot give.
  static var optionalApp: Scope {
    Scope(.body, .optional(("app", "apps"))) { (request) throws(APIFailure) in
      if request.has("app") { return AppScope(id: try request.related("app", .app).id) }
      guard let only = request.onlyApp else { return AppScope(id: nil) }
      throw APIFailure(
        .forbidden,
        "The token is for one app only; name that app in the relationship app (\(only)), or use a token for all apps.")
    }
  }

  /// The relationship `app` of the body names the app that is meant. Without it, all apps that the token is for are
  /// meant.
  static var everyApp: Scope {
    Scope(.body, .optional(("app", "apps"))) { (request) throws(APIFailure) in
      request.has("app") ? AppScope(id: try request.related("app", .app).id) : AppScope(id: request.onlyApp)
    }
  }
}
