/// Who must look at a release before it goes live.
package enum ReviewPolicy: String, CaseIterable, Sendable {
  /// A submission is approved at once.
  case none
  /// Someone with the reviewer role approves.
  case required
  /// Someone with the reviewer role who did not submit it approves.
  case fourEyes
}
