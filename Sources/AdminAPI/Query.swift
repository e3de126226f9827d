import HTTPCore
import PackStore

/// The query parameters of a list: what is known is taken, everything else is refused.
struct Query {
  private var values: [String: String] = [:]
  let page: PageRequest
  let target: String
  let targetWithoutCursor: String

  /// `allowed` are the names beside `limit` and `cursor`.
  init(_ request: OwnedRequest, allowing allowed: [String] = []) throws(APIFailure) {
    var limit = 50
    var cursor: Int64?
    for (name, value) in request.queryItems {
      switch name {
      case "limit":
        guard let number = Int(value), (1...200).contains(number) else {
          throw APIFailure(
            .parameterInvalid, "limit is \(value.isEmpty ? "empty" : value); expected 1 to 200.",
            source: .parameter("limit"))
        }
        limit = number
      case "cursor":
        guard let number = Int64(value), number >= 0 else {
          throw APIFailure(
            .parameterInvalid, "The cursor is not one that this server gave; take it from links.next.",
            source: .parameter("cursor"))
        }
        cursor = number
      default:
        guard allowed.contains(name) else {
          let known = (allowed + ["limit", "cursor"]).joined(separator: ", ")
          throw APIFailure(
            .parameterInvalid, "The parameter \(name) is not known here; known are \(known).", source: .parameter(name))
        }
        guard values.updateValue(value, forKey: name) == nil else {
          throw APIFailure(.parameterInvalid, "The parameter \(name) is given twice.", source: .parameter(name))
        }
      }
    }
    page = PageRequest(after: cursor, limit: limit)
    target = request.path + (request.query.map { "?\($0)" } ?? "")
    let kept = (request.query ?? "").split(separator: "&").filter { !$0.hasPrefix("cursor=") }
    targetWithoutCursor = request.path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }

  /// The text of a parameter; nil when it was not given.
  subscript(_ name: String) -> String? { values[name] }

  /// One of an enum's raw values.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, _: Choice.Type) throws(APIFailure)
    -> Choice?
  {
    guard let text = values[name] else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw APIFailure(.parameterInvalid, "\(name) is \(text); expected one of \(known).", source: .parameter(name))
  }

  /// A positive whole number.
  func number(_ name: String) throws(APIFailure) -> Int? {
    guard let text = values[name] else { return nil }
    if let number = Int(text), number > 0 { return number }
    throw APIFailure(.parameterInvalid, "\(name) is \(text); expected a number above 0.", source: .parameter(name))
  }
}
