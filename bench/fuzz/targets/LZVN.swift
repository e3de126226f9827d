/// The opcodes of LZVN alone, without a frame around them.
func fuzzOne(_ input: UnsafeRawBufferPointer) {
  decodeIntoRoom(input) { payload, room throws(CodecFault) in
    guard let start = payload.baseAddress, let base = room.baseAddress else { return }
    var output = DecodeOutput(room, base: base)
    try decodeLZVN(start, start + payload.count, raw: room.count, into: &output)
  }
}
