import COpenSSL

/// Whether this process encrypts TLS 1.3 records itself. Made once at start, and handed to every `ServerTLSContext`.
package struct RecordSealingDecision: Sendable, Equatable {
  /// The raw values are those of the metric's label.
  package enum State: String, Sendable, CaseIterable {
    case on
    case configuredOff = "configured_off"
    case selfTestFailed = "self_test_failed"
  }

  package let state: State
  /// For the journal: what went wrong in the self-test, what that means and what to do; nil when nothing did.
  package let warning: String?

  package var sealsRecords: Bool { state == .on }

  /// Runs the self-test unless the configuration says `off`. Takes a few milliseconds. `fault` spoils it, for tests.
  package init(_ wish: RecordSealing, fault: RecordSealingFault? = nil) {
    switch wish {
    case .off:
      state = .configuredOff
      warning = nil
    case .auto:
      do throws(RecordSealingMismatch) {
        try RecordSealingSelfTest(fault: fault).run()
        state = .on
        warning = nil
      } catch {
        state = .selfTestFailed
        let version = OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "an unknown version of OpenSSL"
        warning =
          "OpenSSL makes the TLS 1.3 records of this process, because the self-test of our own failed with \(version): "
          + "\(error.sentence) Downloads are correct all the same and cost about a tenth more CPU. "
          + "To skip the test and this message, set tls.sealRecords to \"off\"."
      }
    }
  }
}
