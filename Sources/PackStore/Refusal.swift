import Values

/// What a refusal says, to programs and to people. ``StoreFailure/refusal`` has a row for each failure of the store.
package struct Refusal: Sendable, Equatable {
  /// The name for programs, which never changes.
  package let code: RefusalCode
  /// What was wrong, where, what was expected and what to do.
  package let sentence: String
  /// What the program ends with that ran into it: the code's, unless the fault lies in this machine. A client, to which
  /// the server only answers the code, ends with ``RefusalCode/exitCode``.
  package let exitCode: ExitCode
  /// Whether the catalog itself cannot be used, while everything else may be in order.
  package let isAboutCatalog: Bool

  package init(_ code: RefusalCode, _ sentence: String) {
    self.init(code, sentence, exitCode: code.exitCode, isAboutCatalog: false)
  }

  private init(_ code: RefusalCode, _ sentence: String, exitCode: ExitCode, isAboutCatalog: Bool) {
    self.code = code
    self.sentence = sentence
    self.exitCode = exitCode
    self.isAboutCatalog = isAboutCatalog
  }

  /// A fault of this machine or of this program: clients read that the server failed.
  static func local(_ exitCode: ExitCode, _ sentence: String) -> Refusal {
    Refusal(.internalFailure, sentence, exitCode: exitCode, isAboutCatalog: false)
  }

  /// A full disk.
  static func disk(_ sentence: String) -> Refusal {
    Refusal(.diskFull, sentence, exitCode: .cannotCreate, isAboutCatalog: false)
  }

  /// A catalog that cannot be used.
  static func catalog(_ sentence: String) -> Refusal {
    Refusal(.internalFailure, sentence, exitCode: .software, isAboutCatalog: true)
  }

  /// The HTTP status of the code.
  package var status: UInt16 { code.status }
  /// The few words that every refusal with the code has.
  package var title: String { code.title }
}
