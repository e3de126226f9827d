import JSONText
import PackhouseClient

/// Tells on standard error what happens to downloads, a line each.
struct FetchProgress: Sendable {
  let asJSON: Bool

  func tell(_ update: DownloadStatusUpdate) {
    let id = update.assetPack.id
    let version = update.assetPack.version
    switch update {
    case .began: line("began", id, version, "\(id) version \(version): began")
    case .paused: line("paused", id, version, "\(id): paused")
    case .finished: line("finished", id, version, "\(id) version \(version): finished")
    case .failed(_, let error):
      line("failed", id, version, "\(id): failed: \(error.sentence)", [("error", .string(error.sentence))])
    case .downloading(_, let progress):
      line(
        "downloading", id, version, "\(id): \(Int(progress.fractionCompleted * 100)) %",
        [("completed", .integer(progress.completed)), ("total", .integer(progress.total))])
    }
  }

  private func line(
    _ event: String, _ id: String, _ version: Int, _ text: String, _ more: [(String, JSONValue)] = []
  ) {
    guard asJSON else { return Output.tell("\(text)\n") }
    let members: [(String, JSONValue)] = [
      ("event", .string(event)), ("id", .string(id)), ("version", .integer(version)),
    ]
    Output.tell(JSONValue.object(JSONObject(members + more)).text() + "\n")
  }
}
