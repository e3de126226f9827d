import HTTPCore

/// The fixed answers of the client listener, made once.
enum PlainAnswer {
  static let notFound = text(404, "There is nothing here.\n")
  static let noPack = text(404, "No asset pack is released for this platform on this track.\n")
  static let noLane = text(
    404, "There is no such lane on this track. Devices keep what they have; check the name of the lane in the URL.\n")
  static let misdirected = text(
    421, "This host is on no allow-list for what was asked; add it to the app's domainAllowList if it should be.\n")
  static let damaged = text(
    503, "The bytes of this version are damaged on the server; they are not served until they are restored.\n",
    fields: [("Retry-After", "300")])
  private static let methodNotAllowed = text(405, "Only GET and HEAD are answered here.\n", fields: [allow])
  private static let options = Message(status: 204, contentType: nil, body: [], fields: [allow])
  private static let allow = ("Allow", "GET, HEAD, OPTIONS")

  /// Whether a path without a resource has the form of a lane's manifest.
  static func isLane(_ path: UnsafeRawBufferPointer) -> Bool {
    guard path.count <= 1024 else { return false }
    let pieces = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return pieces.count == 7 && pieces[1].elementsEqual("apps".utf8) && pieces[4].elementsEqual("lanes".utf8)
      && pieces[6].elementsEqual("manifest.json".utf8)
  }

  /// The answer to methods other than GET and HEAD.
  static func method(_ request: RequestView) -> Message {
    request.head.method == .options ? options : methodNotAllowed
  }

  private static func text(_ status: UInt16, _ text: String, fields: [(String, String)] = []) -> Message {
    Message(
      status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8),
      fields: [("Cache-Control", "no-store")] + fields)
  }
}
