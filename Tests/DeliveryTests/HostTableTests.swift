import Testing

@testable import Delivery

@Suite struct HostTableTests {
  private let table = HostTable(
    [
      ["packs.example.com", "*.cdn.example.com"], ["packs.example.com", "[::1]", "127.0.0.1"],
      ["*.example.com", "*.a.cdn.example.com"],
    ], seed: 42)

  @Test(arguments: [
    ("packs.example.com", [0, 1, 2]), ("PACKS.Example.com.:8443", [0, 1, 2]), ("x.cdn.example.com", [0, 2]),
    ("y.x.cdn.example.com", [0, 2]), ("cdn.example.com", [2]), ("b.a.cdn.example.com", [0, 2]), ("example.com", []),
    ("packs.example.com.evil.net", []), ("127.0.0.1:1", [1]), ("[::1]", [1]), ("[0:0::1]:8443", [1]), ("[::2]", []),
    ("", []), ("a b", []), ("[::1", []), ("*.example.com", []),
    // What could not stand in an allow-list is not let in by a wildcard either.
    ("a_b.cdn.example.com", []), ("-a.cdn.example.com", []), ("a-.cdn.example.com", []),
    (String(repeating: "a", count: 63) + ".cdn.example.com", [0, 2]),
    (String(repeating: "a", count: 64) + ".cdn.example.com", []),
  ])
  func aHostIsAllowedByTheAppsThatListIt(host: String, apps: [Int]) {
    let bytes = Array(host.utf8)
    let permission = bytes.withUnsafeBytes { table.permission($0) }
    #expect((0..<3).filter { table.allows(permission, app: $0) } == apps)
    #expect(permission.isEmpty == apps.isEmpty)
  }
}
