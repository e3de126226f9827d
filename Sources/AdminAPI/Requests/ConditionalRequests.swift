import HTTPCore
import PackStore

// `ETag`, `If-None-Match` and `If-Match` on single resources.
extension AdminAPI {
  /// Answers a `GET`: 304 when the client has what there is.
  func read(_ route: Route, _ context: RequestContext) throws(APIFailure) -> Message {
    let message = try route.handler(context)
    guard let field = context.request.field("If-None-Match"), let tag = message.value(of: "ETag"),
      EntityTags(field).matchWeakly(tag)
    else { return message }
    return Message(
      status: 304, contentType: nil, body: [], fields: [("ETag", tag), ("Cache-Control", "no-store")])
  }

  /// Changes something, when it is still what the client has read.
  ///
  /// The condition is looked at before the handler runs, and again inside the transaction of its change, where nothing
  /// can come between.
  func change(_ route: Route, _ context: RequestContext) throws(APIFailure) -> Message {
    guard let field = context.request.field("If-Match") else { return try route.handler(context) }
    let wanted = EntityTags(field)
    guard let reading = routes.first(where: { $0.method == .get && $0.segments == route.segments }) else {
      throw APIFailure(
        .preconditionFailed, "What is at \(context.request.path) has no ETag; leave If-Match out.",
        source: .header("If-Match"))
    }
    let look = RequestContext(
      request: OwnedRequest(method: .get, path: context.request.path, authority: context.request.authority),
      values: context.values, identity: context.identity, isLook: true)
    guard try Self.holds(wanted, reading, look) else { throw APIFailure(StoreFailure.wasChanged) }
    var context = context
    context.terms = ChangeTerms { () throws(StoreFailure) in
      guard (try? Self.holds(wanted, reading, look)) ?? false else { throw .wasChanged }
    }
    return try route.handler(context)
  }

  private static func holds(_ wanted: EntityTags, _ reading: Route, _ look: RequestContext) throws(APIFailure) -> Bool {
    let message = try reading.handler(look)
    return wanted.matchStrongly(message.value(of: "ETag") ?? "")
  }
}

extension Message {
  /// The value of a field, in its exact spelling.
  func value(of name: String) -> String? {
    for line in String(decoding: fields, as: UTF8.self).split(separator: "\r\n") where line.hasPrefix("\(name): ") {
      return String(line.dropFirst(name.utf8.count + 2))
    }
    return nil
  }
}
