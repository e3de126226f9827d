import AssetPacks
import Configuration
import Values

extension SettingsTable {
  /// What is reported to the operator, and when.
  @Rows static var operation: [Key] {
    Key("accessLog", \.accessLog, .accessLog, default: "stderr", "Where the access log goes, one line per request.")
    Key(
      "metrics.open", \.metricsAreOpen, .flag, default: false,
      "Whether `GET /metrics` on the admin listener needs no token; otherwise it needs one with the role viewer.")
    Key(
      "deadlines.interval", \.deadlineInterval, .time(from: .seconds(1), to: .hours(24)), default: "1 min",
      "How often the daemon checks for versions, releases and reviews that have been in a state for too long.")
    deadline(.upload, "How long a version may wait for its upload. Here and below, 0 means no limit.")
    deadline(.processing, "How long the daemon's own work, such as processing a version, may take.")
    deadline(.submission, "How long the newest version of a pack may wait to be submitted for a track.")
    deadline(.draft, "How long a review submission may stay a draft.")
    deadline(.waitingForReview, "How long a submission may wait for a reviewer.")
    deadline(.inReview, "How long a review may take.")
    deadline(.accepted, "How long an item that passed may wait for the rest of its submission.")
    deadline(.rejected, "How long a rejection may stay unanswered.")
    deadline(.rollout, "How long a staged rollout may run.")
    deadline(.pausedRollout, "How long a rollout may stay paused.")
    Key(
      "drainGrace", \.drainGrace, .time(from: .seconds(0), to: .hours(1)), default: "30 s",
      "How long transfers in progress may continue once the daemon is stopping.")
    Key(
      "log.level", \.logLevel, .logLevel, default: "info", "Lowest level of messages that are logged.")
  }

  /// The key of a deadline, whose name and default come from ``Deadline``.
  private static func deadline(_ deadline: Deadline, _ summary: String) -> Key {
    Key(
      "deadlines.\(deadline.rawValue)", \.deadlines[deadline], .time(from: .seconds(0), to: .days(366)),
      default: .string(TimeSpan.seconds(deadline.defaultSeconds).description), summary)
  }
}
