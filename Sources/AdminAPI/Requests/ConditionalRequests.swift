import HTTPCore
import PackStore

// `ETag`, `If-None-Match` and `If-Match` on single resources.
extension AdminAPI {
  /// Answers a `GET`: 304 when the client has what there is.
  func read(_ route: Route, _ context: RequestContext) throws(APIFailure) -> Message {
    let message = try route.answer(context, store)
    guard let field = context.request.field("If-None-Match"), let tag = message.value(of: "ETag"),
      EntityTagList.matches(tag, field: field, weakly: true)
    else { return message }
    return Message(
      status: 304, contentType: nil, body: [], fields: [("ETag", tag), ("Cache-Control", "no-store")])
  }

  /// Changes something if it is still what the client has read.
  ///
  /// The condition is checked before the handler runs, and again inside the transaction of its change, where nothing
  /// can come between.
  func change(_ route: Route, _ context: RequestContext) throws(APIFailure) -> Message {
    guard let field = context.request.field("If-Match") else { return try route.answer(context, store) }
    guard let reading = routes.first(where: { $0.method == .get && $0.segments == route.segments }) else {
      throw APIFailure(
        .preconditionFailed, "\(context.request.path) has no ETag; leave If-Match out.",
        source: .header("If-Match"))
    }
    let look = context.look
    guard try holds(field, reading, look) else { throw APIFailure(StoreFailure.wasChanged) }
    var context = context
    context.conditions = RequestConditions { () throws(StoreFailure) in
      guard (try? self.holds(field, reading, look)) ?? false else { throw .wasChanged }
    }
    return try route.answer(context, store)
  }

  private func holds(_ field: String, _ reading: Route, _ look: RequestContext) throws(APIFailure) -> Bool {
    let message = try reading.answer(look, store)
    return EntityTagList.matches(message.value(of: "ETag") ?? "", field: field, weakly: false)
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
