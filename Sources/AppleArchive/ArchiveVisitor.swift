/// Receives an archive's content in the order of the archive. Throwing ends the reading with that failure.
package protocol ArchiveVisitor: ~Copyable {
  /// The container was recognised. Comes first.
  mutating func container(_ container: ArchiveContainer) throws(ArchiveFailure)

  /// An entry begins; its path and type passed every rule of the format.
  mutating func entry(_ entry: ArchiveEntry) throws(ArchiveFailure)

  /// The next bytes of the file whose entry came last. `bytes` is valid during the call only.
  mutating func fileBytes(_ bytes: UnsafeRawBufferPointer) throws(ArchiveFailure)

  /// The file whose entry came last is complete and its checksums match. Comes once for each file, also for empty ones.
  mutating func fileEnd() throws(ArchiveFailure)
}
