/// Any data through the LZFSE encoder and back. The first byte says how often they are repeated with a change, so that
/// long data come up too.
func fuzzOne(_ input: UnsafeRawBufferPointer) {
  guard let first = input.first else { return }
  var data: [UInt8] = []
  for round in 0...Int(first & 31) {
    data += input.dropFirst()
    data.append(UInt8(truncatingIfNeeded: round &* 37))
  }
  FuzzState.trip.run(data)
}

private enum FuzzState {
  nonisolated(unsafe) static let trip = RoundTrip()

  final class RoundTrip {
    private var encoder = LZFSEEncoder()
    private let decoder = LZFSEDecoder()

    func run(_ data: [UInt8]) {
      let room = LZFSEEncoder.maximumByteCount(data.count)
      // Exactly as large as documented, so that the address sanitizer sees a byte too many.
      let payload = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
      let output = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
      defer {
        payload.deallocate()
        output.deallocate()
      }
      guard let count = data.withUnsafeBytes({ encoder.encode($0, into: payload) }) else { fatalError("no room") }
      guard (try? decoder.decode(UnsafeRawBufferPointer(rebasing: payload[..<count]), into: output)) != nil,
        output.elementsEqual(data)
      else { fatalError("the data do not come back") }
    }
  }
}
