/// What a representation is in the words of the people who run the server, for the access log and for counting.
/// Made when something is published; serving it renders and allocates nothing.
package final class DeliveryLabel: Sendable {
  /// The app's bundle ID.
  package let app: String
  /// Set for manifests.
  package let track: String?
  /// Set for packs, as is `version`.
  package let pack: String?
  package let version: Int?
  /// Where deliveries are counted: a small number of its own for each version, from 0. Nil when they are not.
  package let index: Int?

  package init(app: String, track: String? = nil, pack: String? = nil, version: Int? = nil, index: Int? = nil) {
    self.app = app
    self.track = track
    self.pack = pack
    self.version = version
    self.index = index
  }
}
