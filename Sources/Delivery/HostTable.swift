import HTTPCore
import Values

/// Which apps allow which hosts, prepared for lookups with the bytes of a request.
struct HostTable: Sendable {
  private let literals: ByteKeyTable
  private let wildcards: ByteKeyTable
  /// Sets of apps, by their places in the snapshot; the tables' values are places in here.
  private let sets: [[Int]]

  /// `lists` are the allow-lists of the apps, in the snapshot's order.
  init(_ lists: [[String]], seed: UInt64) {
    var literal: [String: [Int]] = [:]
    var wildcard: [String: [Int]] = [:]
    for (app, patterns) in lists.enumerated() {
      for pattern in patterns {
        let name = pattern.lowercased()
        if name.hasPrefix("*.") {
          wildcard[String(name.dropFirst(2)), default: []].append(app)
        } else {
          literal[name, default: []].append(app)
        }
      }
    }
    var sets: [[Int]] = []
    func table(_ entries: [String: [Int]]) -> ByteKeyTable {
      let pairs = entries.map { name, apps -> ([UInt8], Int32) in
        sets.append(apps)
        return (Array(name.utf8), Int32(truncatingIfNeeded: sets.count - 1))
      }
      return ByteKeyTable(pairs, seed: seed)
    }
    literals = table(literal)
    wildcards = table(wildcard)
    self.sets = sets
  }

  /// What an authority may see.
  struct Permission {
    fileprivate var literal: Int32?
    /// One for each suffix of the host that a wildcard names; more than four nested ones are not checked.
    fileprivate var suffixes: (Int32?, Int32?, Int32?, Int32?) = (nil, nil, nil, nil)

    /// No app allows this host.
    var isEmpty: Bool { literal == nil && suffixes.0 == nil }
  }

  /// Looks `authority` up: case, port and a trailing dot do not matter.
  func permission(_ authority: UnsafeRawBufferPointer) -> Permission {
    if authority.first == UInt8(ascii: "[") { return permission(ipv6: authority) }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      var permission = Permission()
      guard let count = Authority.normaliseHost(authority, into: buffer) else { return permission }
      let host = UnsafeRawBufferPointer(rebasing: buffer[0..<count])
      permission.literal = literals.lookup(host)
      var found = 0
      for index in 0..<count where host[index] == UInt8(ascii: ".") && found < 4 {
        guard let set = wildcards.lookup(UnsafeRawBufferPointer(rebasing: host[(index + 1)...])) else { continue }
        switch found {
        case 0: permission.suffixes.0 = set
        case 1: permission.suffixes.1 = set
        case 2: permission.suffixes.2 = set
        default: permission.suffixes.3 = set
        }
        found += 1
      }
      return permission
    }
  }

  /// An IPv6 address has many spellings; the tables hold one of them.
  private func permission(ipv6 authority: UnsafeRawBufferPointer) -> Permission {
    var permission = Permission()
    if let host = HostName(authority: String(decoding: authority, as: UTF8.self)) {
      let text = Array(host.text.utf8)
      permission.literal = text.withUnsafeBytes { literals.lookup($0) }
    }
    return permission
  }

  /// Whether `app` allows it.
  func allows(_ permission: Permission, app: Int) -> Bool {
    contains(permission.literal, app) || contains(permission.suffixes.0, app) || contains(permission.suffixes.1, app)
      || contains(permission.suffixes.2, app) || contains(permission.suffixes.3, app)
  }

  private func contains(_ set: Int32?, _ app: Int) -> Bool {
    guard let set, let place = Int(exactly: set), place < sets.count else { return false }
    return sets[place].contains(app)
  }
}
