/// The whole reader: any bytes as an archive, in pieces whose size the input decides.
func fuzzOne(_ input: UnsafeRawBufferPointer) {
  var limits = ArchiveLimits()
  limits.entries = 2000
  limits.decodedBytes = 8 << 20
  let pieceSize = input.count % 3 == 0 ? 7 : Int.max
  _ = try? ArchiveInspection.inspect(MemorySource(Array(input), pieceSize: pieceSize), limits: limits)
}
