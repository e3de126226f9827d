import AssetPacks
import HTTPCore

/// One method on one path, who may use it, and what it does.
struct Route: Sendable {
  /// A piece of a path: fixed text, or a value.
  enum Segment: Sendable, Equatable {
    case text(String)
    case value
  }

  typealias Handler = @Sendable (Call) throws(APIFailure) -> Message

  let method: RequestMethod
  let segments: [Segment]
  /// Nil lets everybody in.
  let role: Role?
  let handler: Handler

  /// `pattern` is a path in which `{…}` stands for a value: `/v1/apps/{id}`.
  init(_ method: RequestMethod, _ pattern: String, _ role: Role?, _ handler: @escaping Handler) {
    self.method = method
    self.role = role
    self.handler = handler
    segments = pattern.split(separator: "/").map { $0.hasPrefix("{") ? .value : .text(String($0)) }
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
