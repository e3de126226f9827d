/// How many bytes from `place` on equal those from `place − distance` on, up to `end`. The first `known` are known to
/// be equal.
@inline(__always)
func matchLength(_ place: UnsafeRawPointer, _ distance: Int, known: Int, end: UnsafeRawPointer) -> Int {
  let earlier = place - distance
  let room = end - place
  var length = known
  while length &+ 8 <= room {
    let difference = place.word64(length) ^ earlier.word64(length)
    if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
    length &+= 8
  }
  while length < room, place.byte(length) == earlier.byte(length) { length &+= 1 }
  return length
}
