import HTTPCore

// What the server answers by itself, without asking the responder.
extension Message {
  static var overloaded: Message {
    .fault(
      RequestFault(
        status: 503, code: "OVERLOADED", detail: "All workers are busy; send the request again after a moment."),
      fields: [("Retry-After", "1")])
  }

  static var bodyTooLarge: Message {
    .fault(
      RequestFault(
        status: 413, code: "BODY_TOO_LARGE",
        detail: "The body is larger than what this request may carry; send fewer bytes."))
  }

  static var tooManyForOneAddress: Message {
    .fault(
      RequestFault(
        status: 429, code: "TOO_MANY_REQUESTS",
        detail: "Too many requests of one address are in progress; send the request again in a moment."),
      fields: [("Retry-After", "1")])
  }

  /// A fault as a JSON:API error document. Faults are constants of the program, which need no escaping.
  static func fault(_ fault: RequestFault, fields: [(String, String)] = []) -> Message {
    let text =
      "{\"errors\":[{\"status\":\"\(fault.status)\",\"code\":\"\(fault.code)\","
      + "\"title\":\"\(StatusReason.phrase(fault.status))\",\"detail\":\"\(fault.detail)\"}]}\n"
    return Message(status: fault.status, contentType: "application/json", body: Array(text.utf8), fields: fields)
  }
}
