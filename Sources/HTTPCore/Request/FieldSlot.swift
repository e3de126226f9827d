/// One field line of a request: where its name and its value stand.
package struct FieldSlot: Sendable {
  /// The name as sent, in the client's letter case.
  package var name: ByteSlice
  /// The value without the white space around it; may be empty.
  package var value: ByteSlice
  /// Which of the fields the server knows this is.
  package var known: KnownField

  package init(name: ByteSlice, value: ByteSlice, known: KnownField) {
    self.name = name
    self.value = value
    self.known = known
  }
}
