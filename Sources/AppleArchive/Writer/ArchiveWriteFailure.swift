/// Why an archive could not be written: a fault of its content, or of the place it is written to.
package enum ArchiveWriteFailure<SinkFailure: Error>: Error {
  case archive(ArchiveFailure)
  case sink(SinkFailure)
}
