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
    Key(
      "deadlines.upload", \.deadlines[.upload], deadline, default: "7 d",
      "How long a version may wait for its upload. Here and below, 0 means no limit.")
    Key(
      "deadlines.processing", \.deadlines[.processing], deadline, default: "1 h",
      "How long anything may take that the daemon does by itself.")
    Key(
      "deadlines.submission", \.deadlines[.submission], deadline, default: "90 d",
      "How long the newest version of a pack may wait to be submitted for a track.")
    Key(
      "deadlines.draft", \.deadlines[.draft], deadline, default: "14 d",
      "How long a review submission may stay a draft.")
    Key(
      "deadlines.waitingForReview", \.deadlines[.waitingForReview], deadline, default: "3 d",
      "How long a submission may wait for a reviewer.")
    Key("deadlines.inReview", \.deadlines[.inReview], deadline, default: "2 d", "How long a review may take.")
    Key(
      "deadlines.accepted", \.deadlines[.accepted], deadline, default: "7 d",
      "How long an item that passed may wait for the rest of its submission.")
    Key(
      "deadlines.rejected", \.deadlines[.rejected], deadline, default: "14 d",
      "How long a rejection may stay without an answer.")
    Key(
      "deadlines.rollout", \.deadlines[.rollout], deadline, default: "30 d", "How long a staged rollout may run.")
    Key(
      "deadlines.pausedRollout", \.deadlines[.pausedRollout], deadline, default: "7 d", "How long it may be paused.")
    Key(
      "drainGrace", \.drainGrace, .time(from: .seconds(0), to: .hours(1)), default: "30 s",
      "How long running transfers may go on after the daemon was told to stop.")
    Key(
      "log.level", \.logLevel, .logLevel, default: "info", "Least important kind of message that is logged.")
  }

  private static var deadline: ConfigurationKind<Int> { .time(from: .seconds(0), to: .days(366)) }
}
