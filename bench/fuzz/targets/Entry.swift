// The entry point of libFuzzer, common to all targets; each target defines `fuzzOne`.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  fuzzOne(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}

/// Calls `decode` with the input after its first two bytes and a room of the size that these say, both without a spare
/// byte behind them.
func decodeIntoRoom(
  _ input: UnsafeRawBufferPointer,
  _ decode: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws(CodecFault) -> Void
) {
  guard input.count > 2 else { return }
  let roomSize = Int(input[0]) | Int(input[1]) << 8
  let payload = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count - 2, alignment: 1)
  let room = UnsafeMutableRawBufferPointer.allocate(byteCount: roomSize, alignment: 1)
  defer {
    payload.deallocate()
    room.deallocate()
  }
  payload.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[2...]))
  do throws(CodecFault) {
    try decode(UnsafeRawBufferPointer(payload), room)
  } catch {}
}
