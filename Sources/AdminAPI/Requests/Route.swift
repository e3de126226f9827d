import AssetPacks
import HTTPCore

/// One method on one path, who may use it, what it does, and what is said of it.
struct Route: Sendable {
  /// A piece of a path: fixed text, or a value.
  enum Segment: Sendable, Equatable {
    case text(String)
    case value
  }

  typealias Handler = @Sendable (RequestContext) throws(APIFailure) -> Message

  let method: RequestMethod
  /// The path, in which `{…}` stands for a value.
  let pattern: String
  let segments: [Segment]
  /// Nil lets everybody in.
  let role: Role?
  let handler: Handler
  /// What `/openapi.json` says of it; nil when nobody has written it yet.
  let documentation: RouteDocumentation?
  /// Whether the answer holds a secret: then it is not kept for a repeat with the same `Idempotency-Key`.
  private(set) var answersSecret = false

  /// `pattern` is a path in which `{…}` stands for a value: `/v1/apps/{id}`.
  init(
    _ method: RequestMethod, _ pattern: String, _ role: Role?, _ handler: @escaping Handler,
    _ documentation: RouteDocumentation? = nil
  ) {
    self.method = method
    self.pattern = pattern
    self.role = role
    self.handler = handler
    self.documentation = documentation
    segments = pattern.split(separator: "/").map { $0.hasPrefix("{") ? .value : .text(String($0)) }
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
