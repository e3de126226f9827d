import PackStore
import Testing

@testable import packhouse

/// What a verb ends with when the server refuses something.
@Suite struct RefusalExitTests {
  private func failure(_ status: Int, _ code: String) -> CommandFailure {
    ServerAnswer.failure(status, Array(#"{"errors":[{"code":"\#(code)","detail":"No."}]}"#.utf8))
  }

  @Test func theCodeDecides() {
    for code in RefusalCode.allCases {
      // Whatever the status says.
      for status in [Int(code.status), 418] {
        let failure = failure(status, code.rawValue)
        #expect(failure.exitCode == code.exitCode.rawValue, "\(code) \(status)")
        #expect(failure.code == code.rawValue)
        #expect(failure.sentence == "No. (\(code.rawValue))")
      }
    }
    #expect(failure(409, "HOST_NOT_ALLOWED").exitCode == 78)
  }

  @Test func theStatusDecidesWhereNoCodeIsKnown() {
    for (status, exitCode) in [(401, 77), (403, 77), (429, 75), (503, 75), (404, 65), (431, 65), (500, 69), (502, 69)] {
      #expect(failure(status, "FROM_A_PROXY").exitCode == Int32(exitCode), "\(status)")
      #expect(ServerAnswer.failure(status, []).exitCode == Int32(exitCode), "\(status)")
    }
  }
}
