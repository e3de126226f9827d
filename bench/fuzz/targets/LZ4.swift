/// The LZ4 decoder.
func fuzzOne(_ input: UnsafeRawBufferPointer) {
  decodeIntoRoom(input) { payload, room throws(CodecFault) in try LZ4Decoder.decode(payload, into: room) }
}
