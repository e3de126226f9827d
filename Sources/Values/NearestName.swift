/// The candidate that `name` was most likely meant to be: the one with the fewest edits (insert, delete, replace,
/// swap of neighbours, letter case ignored), when that is at most a third of its length (one edit for short names).
/// - Returns: nil when none is near, or the name is longer than 64 bytes, so that a hostile name costs nothing.
package func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let lowered = Array(name.lowercased().utf8)
  var best: (distance: Int, name: String)?
  for candidate in candidates {
    let other = Array(candidate.lowercased().utf8)
    let limit = max(1, max(lowered.count, other.count) / 3)
    guard abs(lowered.count - other.count) <= limit else { continue }
    let distance = editDistance(lowered, other)
    let differsWholly = distance == max(lowered.count, other.count)
    if distance <= limit, !differsWholly || distance == 0, distance < best?.distance ?? .max {
      best = (distance, candidate)
    }
  }
  return best?.name
}

/// Edits between two byte strings: optimal string alignment, by rows.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i]
    row.reserveCapacity(b.count + 1)
    for j in 1...b.count {
      let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      var least = min(last[j] + 1, row[j - 1] + 1, replaced)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { least = min(least, beforeLast[j - 2] + 1) }
      row.append(least)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
