/// Connections that have more to send and whose socket takes it, first come, first served.
struct TurnQueue {
  private var tokens: [UInt64] = []
  private var next = 0

  var isEmpty: Bool { next == tokens.count }

  mutating func append(_ token: UInt64) { tokens.append(token) }

  mutating func popFirst() -> UInt64? {
    guard next < tokens.count else { return nil }
    let token = tokens[next]
    next += 1
    if next == tokens.count {
      tokens.removeAll(keepingCapacity: true)
      next = 0
    } else if next > 1024 {
      // Moving the rest for each one would cost more than the turns.
      tokens.removeFirst(next)
      next = 0
    }
    return token
  }
}
