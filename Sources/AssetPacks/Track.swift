/// A line of releases with a manifest of its own; a pack has at most one live version on each.
package enum Track: String, CaseIterable, Sendable {
  case production
  /// The external beta.
  case beta
  case `internal`
}
