import AssetPacks
import Testing

@Suite struct RolloutBucketTests {
  private func bucket(_ key: String, _ salt: UInt64) -> Int {
    Array(key.utf8).withUnsafeBytes { RolloutBucket.bucket(ofKey: $0, salt: salt) }
  }

  private func reached(_ keys: [String], _ percent: Int, _ salt: UInt64) -> Set<String> {
    Set(keys.filter { bucket($0, salt) < percent })
  }

  private let keys = (0..<10_000).map { "client-\($0)" }

  @Test func zeroReachesNobodyAndAHundredEverybody() {
    #expect(reached(keys, 0, 7).isEmpty)
    #expect(reached(keys, 100, 7).count == keys.count)
    #expect(keys.allSatisfy { (0..<100).contains(bucket($0, .max)) })
  }

  @Test func aHigherPercentageOnlyAddsClients() {
    var before: Set<String> = []
    for percent in 0...100 {
      let now = reached(keys, percent, 42)
      #expect(before.isSubset(of: now))
      before = now
    }
  }

  @Test(arguments: [UInt64(0), 1, 42, 0x8000_0000_0000_0000, .max])
  func theBucketsAreAboutEqual(salt: UInt64) {
    var counts = [Int](repeating: 0, count: 100)
    for key in keys { counts[bucket(key, salt)] += 1 }
    // A hundred are expected in each; the standard deviation is ten.
    #expect(counts.allSatisfy { (50...150).contains($0) }, "\(counts)")
    for percent in [1, 10, 50, 90] {
      let share = reached(keys, percent, salt).count
      #expect(abs(share - percent * 100) < 200, "\(percent): \(share)")
    }
  }

  @Test func anotherRolloutBeginsWithOtherClients() {
    let first = reached(keys, 10, 1)
    let second = reached(keys, 10, 2)
    // A tenth of a tenth is expected in both.
    #expect((50...160).contains(first.intersection(second).count))
  }

  /// A rollout may run while the program is replaced: the choice must not change with it.
  @Test(arguments: [("", 1, 19), ("a", 1, 33), ("client-1", 1, 23), ("client-1", .max, 3)] as [(String, UInt64, Int)])
  func theBucketOfAKeyStaysAsItIs(key: String, salt: UInt64, expected: Int) {
    #expect(bucket(key, salt) == expected)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.254"), ("192.0.2.1", "::ffff:192.0.2.9"),
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"),
  ])
  func aClientMayMoveWithinItsBlock(first: String, second: String) {
    for salt in UInt64(0)..<50 {
      #expect(RolloutBucket.bucket(ofAddress: first, salt: salt) == RolloutBucket.bucket(ofAddress: second, salt: salt))
    }
  }

  @Test func blocksAreToldApart() {
    let pairs = [("192.0.2.1", "192.0.3.1"), ("2001:db8:1:2::1", "2001:db8:1:3::1"), ("0.0.0.1", "::1")]
    for (first, second) in pairs {
      #expect(
        (UInt64(0)..<50).contains {
          RolloutBucket.bucket(ofAddress: first, salt: $0) != RolloutBucket.bucket(ofAddress: second, salt: $0)
        })
    }
    var counts = [Int](repeating: 0, count: 100)
    for block in UInt64(0)..<10_000 { counts[RolloutBucket.bucket(ofAddress: block << 20, 1, salt: 3)] += 1 }
    #expect(counts.allSatisfy { (50...150).contains($0) })
  }

  @Test(arguments: ["", "localhost", "192.0.2", "192.0.2.1:80", "[::1]", "::1%eth0", "1.2.3.256"])
  func otherTextIsNoAddress(text: String) { #expect(RolloutBucket.bucket(ofAddress: text, salt: 1) == nil) }

  @Test(
    arguments: [
      ("lane=1.x", "1.x", nil), ("platform=iOS&lane=a&lane=b", "a", nil), ("lane=", "", nil), ("xlane=a", nil, nil),
      ("clientKey=k", nil, "k"), ("clientKey=&clientKey=k", nil, nil), ("a&clientKey=k%20&lane=x", "x", "k%20"),
      ("", nil, nil), ("&&", nil, nil), ("LANE=a", nil, nil), ("lane", nil, nil),
    ] as [(String, String?, String?)])
  func theQuerySaysLaneAndKey(query: String, lane: String?, key: String?) {
    let bytes = Array(query.utf8)
    func text(_ find: (UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?) -> String? {
      bytes.withUnsafeBytes { find($0).map { String(decoding: $0, as: UTF8.self) } }
    }
    #expect(text(TrackQuery.lane) == lane)
    #expect(text(TrackQuery.clientKey) == key)
  }

  @Test(arguments: [
    ("1.x", true), ("a", true), ("A_b-9", true), ("", false), (".a", false), ("-a", false), ("a/b", false),
    ("a b", false), ("ü", false), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
  ])
  func aLaneHasAPlainName(name: String, good: Bool) { #expect((LaneName(name) != nil) == good) }
}
