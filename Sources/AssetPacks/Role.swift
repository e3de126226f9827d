/// What the holder of an admin token may do. Each role includes those before it, except that a
/// reviewer does not publish.
package enum Role: String, CaseIterable, Sendable {
  /// Reads everything.
  case viewer
  /// Creates packs and versions, uploads and releases.
  case publisher
  /// Approves and rejects.
  case reviewer
  /// Does all of it, and manages apps and tokens.
  case admin
}
