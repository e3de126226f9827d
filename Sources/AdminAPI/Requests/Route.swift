import AssetPacks
import HTTPCore
import PackStore

/// One method on one path: who may use it, what it is about, its body, its handler and its documentation.
struct Route: Sendable {
  /// A piece of a path: fixed text, or a value.
  enum Segment: Sendable, Equatable {
    case text(String)
    case value
  }

  let method: RequestMethod
  /// The path, in which `{…}` stands for a value.
  let pattern: String
  let segments: [Segment]
  /// Nil lets everybody in.
  let role: Role?
  /// Where the request names what it is about, and the relationships that its body may have.
  let place: ScopePlace
  let relationships: Relationships
  /// What `/openapi.json` says about it.
  let documentation: RouteDocumentation
  /// Whether the answer holds a secret: then it is not kept for a repeat with the same `Idempotency-Key`.
  private(set) var answersSecret = false
  private let respond: @Sendable (RequestContext, PackStore) throws(APIFailure) -> Message

  private init(
    _ method: RequestMethod, _ pattern: String, _ role: Role?, _ place: ScopePlace, _ relationships: Relationships,
    _ documentation: RouteDocumentation,
    respond: @escaping @Sendable (RequestContext, PackStore) throws(APIFailure) -> Message
  ) {
    self.method = method
    self.pattern = pattern
    self.role = role
    self.place = place
    self.relationships = relationships
    self.documentation = documentation
    self.respond = respond
    segments = pattern.split(separator: "/").map { $0.hasPrefix("{") ? .value : .text(String($0)) }
  }

  /// A route without a body. `pattern` is a path in which `{id}` stands for a value: `/v1/apps/{id}`.
  init<Subject>(
    _ method: RequestMethod, _ pattern: String, _ role: Role?, _ scope: Scope<Subject>,
    _ handler: @escaping @Sendable (RequestContext, Subject) throws(APIFailure) -> Message,
    _ documentation: RouteDocumentation
  ) {
    self.init(method, pattern, role, scope.place, .none, documentation) { (context, store) throws(APIFailure) in
      try handler(context, try scope.resolve(context.scoped(in: store)))
    }
  }

  /// A route whose query the handler gets: it takes the parameters of `query`.
  init<Subject>(
    _ method: RequestMethod, _ pattern: String, _ role: Role?, _ scope: Scope<Subject>,
    _ handler: @escaping @Sendable (RequestContext, Subject, Query) throws(APIFailure) -> Message,
    _ documentation: RouteDocumentation
  ) {
    let shape = documentation.query
    self.init(method, pattern, role, scope.place, .none, documentation) { (context, store) throws(APIFailure) in
      let subject = try scope.resolve(context.scoped(in: store))
      return try handler(context, subject, try Query(context.request, shape))
    }
  }

  /// A route with a body. A change (`PATCH`) names the `id` of the path in it.
  init<Subject, Body>(
    _ method: RequestMethod, _ pattern: String, _ role: Role?, _ scope: Scope<Subject>, _ body: BodyShape<Body>,
    _ handler: @escaping @Sendable (RequestContext, Subject, Body) throws(APIFailure) -> Message,
    _ documentation: RouteDocumentation
  ) {
    var documentation = documentation
    let (place, relationships) = (scope.place, scope.relationships)
    documentation.body = body.schema(relationships, hasID: method == .patch)
    self.init(method, pattern, role, place, relationships, documentation) { (context, store) throws(APIFailure) in
      let scoped = context.scoped(in: store)
      let id = method == .patch ? scoped.id : nil
      // What the path names is checked first.
      if place != .body {
        let subject = try scope.resolve(scoped)
        return try handler(context, subject, try body.decode(context.request, id: id, relationships).body)
      }
      let (value, document) = try body.decode(context.request, id: id, relationships)
      return try handler(context, try scope.resolve(context.scoped(in: store, document)), value)
    }
  }

  /// The answer to an authorized request.
  func answer(_ context: RequestContext, _ store: PackStore) throws(APIFailure) -> Message {
    try respond(context, store)
  }

  /// The same route, whose answer holds a secret.
  func withSecretAnswer() -> Route {
    var route = self
    route.answersSecret = true
    return route
  }

  /// The names of the path's values, in order.
  var valueNames: [String] {
    pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  /// The values of the path; nil when it is another path.
  func match(_ path: [String]) -> [String]? {
    guard path.count == segments.count else { return nil }
    var values: [String] = []
    for (segment, piece) in zip(segments, path) {
      switch segment {
      case .text(let text): guard text == piece else { return nil }
      case .value: values.append(piece)
      }
    }
    return values
  }
}
