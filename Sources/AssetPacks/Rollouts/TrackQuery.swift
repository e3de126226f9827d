/// Finds what a manifest request says beside the platform: the lane, and who the client is. No memory is taken.
package enum TrackQuery {
  /// The value of the first `lane=`, as sent; nil without one.
  package static func lane(in query: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { value("lane=", in: query) }

  /// The value of the first `clientKey=`, as sent; nil without one, and when it is empty.
  package static func clientKey(in query: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    value("clientKey=", in: query).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What stands behind `name`, which ends in `=`, in the first parameter that begins with it.
  private static func value(_ name: StaticString, in query: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let length = name.utf8CodeUnitCount
    var start = 0
    while start < query.count {
      var end = start
      while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
      if end - start >= length, matches(query, start, name, length) {
        return UnsafeRawBufferPointer(rebasing: query[(start + length)..<end])
      }
      start = end + 1
    }
    return nil
  }

  private static func matches(
    _ query: UnsafeRawBufferPointer, _ start: Int, _ name: StaticString, _ length: Int
  ) -> Bool {
    for index in 0..<length where query[start + index] != name.utf8Start[index] { return false }
    return true
  }
}
