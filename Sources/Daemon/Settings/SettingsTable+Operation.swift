import AssetPacks
import Configuration

extension SettingsTable {
  /// What the operator is told, and when.
  @Rows static var operation: [Key] {
    Key("accessLog", \.accessLog, .accessLog, default: "stderr", "Where a line for each request goes.")
    Key(
      "metrics.open", \.metricsAreOpen, .flag, default: false,
      "Whether `GET /metrics` on the admin listener needs no token; otherwise it needs one with the role viewer.")
    Key(
      "deadlines.interval", \.deadlineInterval, .time(from: .seconds(1), to: .hours(24)), default: "1 min",
      "How often the daemon looks for versions, releases and reviews that have been in a state for too long.")
    deadline(.upload, "How long a version may wait for its upload. Here and below, 0 means no limit.")
    deadline(.processing, "How long anything may take that the daemon does by itself.")
    deadline(.submission, "How long the newest version of a pack may wait to be submitted for a track.")
    deadline(.draft, "How long a review submission may stay a draft.")
    deadline(.waitingForReview, "How long a submission may wait for a reviewer.")
    deadline(.inReview, "How long a review may take.")
    deadline(.accepted, "How long an item that passed may wait for the rest of its submission.")
    deadline(.rejected, "How long a rejection may stay without an answer.")
    deadline(.rollout, "How long a staged rollout may run.")
    deadline(.pausedRollout, "How long it may be paused.")
    Key(
      "drainGrace", \.drainGrace, .time(from: .seconds(0), to: .hours(1)), default: "30 s",
      "How long running transfers may go on after the daemon was told to stop.")
    Key(
      "log.level", \.logLevel, .logLevel, default: "info", "Least important kind of message that is logged.")
  }

  /// The key of a deadline, which has its name and its default from ``Deadline``.
  private static func deadline(_ deadline: Deadline, _ summary: String) -> Key {
    Key(
      "deadlines.\(deadline.rawValue)", \.deadlines[deadline], .time(from: .seconds(0), to: .days(366)),
      default: .string(TimeSpan.seconds(deadline.defaultSeconds).description), summary)
  }
}
