/// Cuts data into literals and matches: the best match of each place, put off by one place as long as the next one is
/// better.
struct LZFSEParser: ~Copyable {
  private let table = MatchTable()

  /// From this length on nothing better is looked for.
  private static let goodLength = 40
  /// Less than this much data is left to literals, so that whole words can be loaded.
  private static let margin = 16

  /// A match, and how many quarter bytes it is worth: its length less what its distance costs.
  private struct Match {
    var length = 0
    var distance = 0
    var worth = 0
  }

  /// Gives `sequence` steps for all of `data`; false when it has no room for them.
  func parse(_ data: UnsafeRawBufferPointer, into sequence: inout LZFSESequence) -> Bool {
    guard let start = data.baseAddress else { return true }
    let end = start + data.count
    table.clear()
    var place = 0
    var anchor = 0
    var lastDistance = 0
    let last = data.count &- Self.margin
    while place < last {
      var match = find(start, place, end, lastDistance)
      if match.length == 0 {
        // Where nothing has matched for long, look less often.
        place &+= 1 &+ min((place &- anchor) &>> 9, 15)
        continue
      }
      var inserted = place &+ 1
      while match.length < Self.goodLength, place &+ 1 < last {
        let next = find(start, place &+ 1, end, lastDistance)
        inserted = place &+ 2
        // The literal that the later match leaves over costs about a byte.
        guard next.worth > match.worth &+ 4 else { break }
        match = next
        place &+= 1
      }
      while place > anchor, place > match.distance,
        start.byte(place &- 1) == start.byte(place &- 1 &- match.distance)
      {
        place &-= 1
        match.length &+= 1
      }
      guard
        sequence.append(
          start + anchor, literals: place &- anchor, match: match.length,
          distance: UInt32(truncatingIfNeeded: match.distance))
      else { return false }
      lastDistance = match.distance
      place &+= match.length
      anchor = place
      let insertEnd = min(place, last)
      while inserted < insertEnd {
        let word = UInt32(truncatingIfNeeded: start.word32(inserted))
        MatchTable.insert(word, inserted, into: table.bucket(word))
        inserted &+= 1
      }
    }
    return sequence.append(start + anchor, literals: data.count &- anchor, match: 0, distance: 0)
      && sequence.flush()
  }

  /// The best match at `place`, which goes into the table; its length is 0 when there is none.
  @inline(__always)
  private func find(
    _ start: UnsafeRawPointer, _ place: Int, _ end: UnsafeRawPointer, _ lastDistance: Int
  ) -> Match {
    let here = start + place
    let word = UInt32(truncatingIfNeeded: here.word32())
    let bucket = table.bucket(word)
    var best = Match()
    if lastDistance > 0, UInt32(truncatingIfNeeded: (here - lastDistance).word32()) == word {
      let length = matchLength(here, lastDistance, known: 4, end: end)
      best = Match(length: length, distance: lastDistance, worth: length &* 4)
    }
    for way in 0..<MatchTable.ways {
      let entry = bucket[way]
      guard UInt32(truncatingIfNeeded: entry) == word else { continue }
      let distance = MatchTable.distance(entry, from: place)
      guard distance <= ValueSymbols.maximumDistance else { continue }
      let length = matchLength(here, distance, known: 4, end: end)
      let worth = length &* 4 &- (63 &- distance.leadingZeroBitCount)
      if worth > best.worth { best = Match(length: length, distance: distance, worth: worth) }
    }
    MatchTable.insert(word, place, into: bucket)
    return best
  }
}
