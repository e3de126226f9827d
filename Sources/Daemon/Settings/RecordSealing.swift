/// Who encrypts the records of TLS 1.3 that carry answers.
package enum RecordSealing: String, CaseIterable, Sendable {
  /// The daemon, once it has checked itself against OpenSSL at start; OpenSSL when the check fails.
  case auto
  /// OpenSSL.
  case off
}
