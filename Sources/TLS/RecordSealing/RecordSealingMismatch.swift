/// What the self-test of record sealing found to be wrong. `cipher` is the cipher suite, `step` completes "with …".
enum RecordSealingMismatch: Error, Equatable {
  /// The two sides could not be set up.
  case setup(TLSFailure)
  /// The handshake did not come to an end.
  case noHandshake(cipher: String)
  /// OpenSSL kept the write keys to itself.
  case keysNotHandedOver(cipher: String)
  /// The server could not write.
  case notWritten(cipher: String, step: String)
  /// The client refused a record; `reasons` are OpenSSL's.
  case refused(cipher: String, step: String, reasons: [String])
  /// The client read other bytes than were sent, or too few or too many. `at` is the place of the first difference.
  case differs(cipher: String, step: String, at: Int)
  /// The client did not get the alert that was sent.
  case noAlert(cipher: String, step: String)

  var sentence: String {
    switch self {
    case .setup(let failure): failure.sentence
    case .noHandshake(let cipher): "No handshake with \(cipher) came to an end."
    case .keysNotHandedOver(let cipher): "OpenSSL did not hand over the write keys of a connection with \(cipher)."
    case .notWritten(let cipher, let step): "Nothing could be written with \(cipher) and \(step)."
    case .refused(let cipher, let step, let reasons):
      "An OpenSSL client refused a record with \(cipher) and \(step) (\(reasons.joined(separator: "; ")))."
    case .differs(let cipher, let step, let at):
      "An OpenSSL client read other bytes than were sent with \(cipher) and \(step), from byte \(at) on."
    case .noAlert(let cipher, let step): "An OpenSSL client did not get \(step) with \(cipher)."
    }
  }
}
