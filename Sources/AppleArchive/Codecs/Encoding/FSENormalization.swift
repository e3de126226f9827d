/// Scales the counts of `symbolCount` symbols to frequencies whose sum is `stateCount`; a symbol that occurs keeps at
/// least 1. Without any symbol all frequencies are 0. Integers only, so that every machine gives the same tables.
func normalizeFrequencies(
  _ counts: UnsafePointer<UInt32>, _ frequencies: UnsafeMutablePointer<UInt16>, symbolCount: Int, stateCount: Int
) {
  var total: UInt64 = 0
  for symbol in 0..<symbolCount { total &+= UInt64(truncatingIfNeeded: counts[symbol]) }
  guard total > 0 else {
    for symbol in 0..<symbolCount { frequencies[symbol] = 0 }
    return
  }
  let states = UInt64(truncatingIfNeeded: stateCount)
  var missing = stateCount
  for symbol in 0..<symbolCount {
    let count = UInt64(truncatingIfNeeded: counts[symbol])
    var frequency = (count &* states &+ total / 2) / total
    if frequency == 0, count > 0 { frequency = 1 }
    frequencies[symbol] = UInt16(truncatingIfNeeded: frequency)
    missing &-= Int(truncatingIfNeeded: frequency)
  }
  // One state more or less for a symbol of frequency f changes the stream by about count / (f ± ½) bits.
  while missing > 0 {
    let symbol = dearestSymbol(counts, frequencies, symbolCount)
    frequencies[symbol] &+= 1
    missing &-= 1
  }
  while missing < 0 {
    let symbol = cheapestSymbol(counts, frequencies, symbolCount)
    frequencies[symbol] &-= 1
    missing &+= 1
  }
}

/// The symbol that gains most from one more state.
private func dearestSymbol(
  _ counts: UnsafePointer<UInt32>, _ frequencies: UnsafeMutablePointer<UInt16>, _ symbolCount: Int
) -> Int {
  var best = 0
  var bestCount: UInt64 = 0
  var bestWeight: UInt64 = 1
  for symbol in 0..<symbolCount where counts[symbol] > 0 {
    let count = UInt64(truncatingIfNeeded: counts[symbol])
    let weight = UInt64(truncatingIfNeeded: frequencies[symbol]) &* 2 &+ 1
    if count &* bestWeight > bestCount &* weight {
      (best, bestCount, bestWeight) = (symbol, count, weight)
    }
  }
  return best
}

/// The symbol that loses least from one state less; it has at least 2. There is one, because there are fewer symbols
/// than states.
private func cheapestSymbol(
  _ counts: UnsafePointer<UInt32>, _ frequencies: UnsafeMutablePointer<UInt16>, _ symbolCount: Int
) -> Int {
  var best = 0
  var bestCount: UInt64 = .max
  var bestWeight: UInt64 = 1
  for symbol in 0..<symbolCount where frequencies[symbol] > 1 {
    let count = UInt64(truncatingIfNeeded: counts[symbol])
    let weight = UInt64(truncatingIfNeeded: frequencies[symbol]) &* 2 &- 1
    if bestCount == .max || count &* bestWeight < bestCount &* weight {
      (best, bestCount, bestWeight) = (symbol, count, weight)
    }
  }
  return best
}
