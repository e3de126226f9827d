/// The LZFSE decoder with its LZVN and FSE blocks. Two bytes of the input are the room that it gets, so that outputs
/// that are too small come often.
func fuzzOne(_ input: UnsafeRawBufferPointer) {
  decodeIntoRoom(input) { payload, room throws(CodecFault) in try FuzzState.decoder.decode(payload, into: room) }
}

private enum FuzzState {
  nonisolated(unsafe) static let decoder = Box()
  final class Box {
    private let decoder = LZFSEDecoder()
    func decode(_ payload: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) throws(CodecFault) {
      try decoder.decode(payload, into: room)
    }
  }
}
