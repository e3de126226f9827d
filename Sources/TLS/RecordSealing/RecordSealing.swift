/// Who makes the TLS 1.3 records that the server sends: `tls.sealRecords` of the configuration.
package enum RecordSealing: String, Sendable, CaseIterable {
  /// The server itself, if the self-test at start passes; else OpenSSL.
  case auto
  /// OpenSSL.
  case off
}
