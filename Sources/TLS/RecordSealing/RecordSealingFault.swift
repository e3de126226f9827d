/// A fault put into the self-test of record sealing, so that tests see it noticed.
package struct RecordSealingFault: Sendable, Equatable {
  package enum Kind: Sendable, CaseIterable {
    /// The server does not take the keys.
    case keysNotTaken
    /// A bit of a record is turned over.
    case flippedBit
    /// A record has the number after its own.
    case wrongSequence
    /// Data goes out as a handshake message.
    case wrongType
    /// The server sends another byte than the test compares with.
    case otherContent
    /// The last record does not arrive.
    case missingRecord
    /// A bit of a record after a KeyUpdate is turned over.
    case flippedBitAfterKeyUpdate
    /// An alert does not arrive.
    case missingCloseNotify
    case missingFatalAlert
  }

  package let kind: Kind
  /// The cipher suite that it happens with; the others work.
  package let cipher: String

  package init(_ kind: Kind, cipher: String) {
    self.kind = kind
    self.cipher = cipher
  }
}
