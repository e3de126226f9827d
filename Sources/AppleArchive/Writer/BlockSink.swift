/// Takes the blocks of an archive's entry stream in order, still uncompressed, and makes the container of them.
package protocol BlockSink<SinkFailure>: AnyObject {
  associatedtype SinkFailure: Error

  /// The next block; its bytes are valid during the call only. All blocks but the last have the block size.
  func write(_ block: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>)

  /// Everything has come. Returns when all bytes have gone out.
  func finish() throws(ArchiveWriteFailure<SinkFailure>)
}
