/// The zlib decoder: our checks around zlib's own.
func fuzzOne(_ input: UnsafeRawBufferPointer) {
  decodeIntoRoom(input) { payload, room throws(CodecFault) in
    let decoder = ZlibDecoder()
    try decoder.decode(payload, into: room)
  }
}
