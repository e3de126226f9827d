import Values

/// What a refusal says, to programs and to people. ``StoreFailure/refusal`` has a row for each failure of the store.
package struct Refusal: Sendable, Equatable {
  /// The name for programs, which never changes.
  package let code: RefusalCode
  /// What is wrong, where, what was expected and what to do.
  package let sentence: String
  /// The exit code of a local program: that of the code, unless the fault lies in this machine. A client gets only the
  /// code from the server and exits with ``RefusalCode/exitCode``.
  package let exitCode: ExitCode
  /// Whether the catalog itself cannot be used; everything else may work.
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

  /// A fault of this machine or of this program: clients are told only that the server failed.
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
  /// The short title that all refusals with this code share.
  package var title: String { code.title }
}
