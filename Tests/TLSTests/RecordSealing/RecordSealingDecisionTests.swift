import Testing

@testable import TLS

@Suite struct RecordSealingDecisionTests {
  @Test func theSelfTestPassesHere() {
    let decision = RecordSealingDecision(.auto)
    #expect(decision.warning == nil)
    #expect(decision.state == .on)
    #expect(decision.sealsRecords)
  }

  @Test func whereItIsOffThereIsNoTestAndNothingToSay() {
    let decision = RecordSealingDecision(.off, fault: .init(.flippedBit, cipher: RecordSealingSelfTest.ciphers[0]))
    #expect(decision.state == .configuredOff)
    #expect(decision.warning == nil)
    #expect(!decision.sealsRecords)
  }

  @Test(arguments: RecordSealingFault.Kind.allCases, RecordSealingSelfTest.ciphers)
  func everyFaultTurnsSealingOff(kind: RecordSealingFault.Kind, cipher: String) throws {
    let decision = RecordSealingDecision(.auto, fault: .init(kind, cipher: cipher))
    #expect(decision.state == .selfTestFailed)
    #expect(!decision.sealsRecords)
    let warning = try #require(decision.warning)
    #expect(warning.contains(cipher), "\(warning)")
    for part in ["OpenSSL 3.", "correct all the same", "tls.sealRecords to \"off\""] {
      #expect(warning.contains(part), "\(warning)")
    }
  }

  @Test func whatWasWrongIsNamed() {
    let cipher = RecordSealingSelfTest.ciphers[0]
    func mismatch(_ kind: RecordSealingFault.Kind) -> RecordSealingMismatch? {
      do throws(RecordSealingMismatch) {
        try RecordSealingSelfTest(fault: .init(kind, cipher: cipher)).run()
        return nil
      } catch {
        return error
      }
    }
    let first = "a write of 1 bytes"
    #expect(mismatch(.keysNotTaken) == .keysNotHandedOver(cipher: cipher))
    #expect(mismatch(.otherContent) == .differs(cipher: cipher, step: first, at: 0))
    #expect(mismatch(.missingRecord) == .differs(cipher: cipher, step: first, at: 0))
    #expect(mismatch(.missingCloseNotify) == .noAlert(cipher: cipher, step: "close_notify"))
    #expect(mismatch(.missingFatalAlert) == .noAlert(cipher: cipher, step: "the alert bad_record_mac"))
    let refused: [(RecordSealingFault.Kind, String)] = [
      (.flippedBit, first), (.wrongSequence, first),
      (.flippedBitAfterKeyUpdate, "a write of 1 bytes after KeyUpdate 1"),
    ]
    for (kind, step) in refused {
      guard case .refused(cipher, step, let reasons)? = mismatch(kind) else {
        Issue.record("\(kind): \(String(describing: mismatch(kind)))")
        continue
      }
      #expect(!reasons.isEmpty)
    }
  }
}
