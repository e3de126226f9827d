import JSONText
import PackStore

/// Answers of the admin API that are refusals.
enum ServerAnswer {
  /// The sentences of an error document, and the exit code that its code has.
  static func failure(_ status: Int, _ body: [UInt8]) -> CommandFailure {
    let errors = (try? JSONParser.parse(body, dialect: .strict))?.root["errors"]?.array ?? []
    let lines = errors.map { error -> String in
      let detail = error["detail"]?.string ?? error["title"]?.string ?? "refused"
      let code = error["code"]?.string.map { " (\($0))" } ?? ""
      return detail + code
    }
    let sentence = lines.isEmpty ? "The server answered with the status \(status)." : lines.joined(separator: "\n")
    let code = errors.first?["code"]?.string
    return CommandFailure(sentence, code.flatMap(RefusalCode.init)?.exitCode ?? exitCode(status), code: code)
  }

  /// What fits the status of an answer without a code that is known: from something between, or a newer server.
  private static func exitCode(_ status: Int) -> ExitCode {
    switch status {
    case 401, 403: .noPermission
    case 429, 503: .temporaryFailure
    case 400...499: .dataError
    default: .unavailable
    }
  }
}
