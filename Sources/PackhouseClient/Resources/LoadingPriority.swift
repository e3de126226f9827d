/// How important the downloads of a `ResourceRequest` are, from 0 to 1; urgent above all.
public struct LoadingPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// From 0 to 1; larger for `urgent`.
  public let value: Double

  /// Cut to 0…1; what is no number counts as 0.
  public init(_ value: Double) { self.value = value >= 0 ? min(1, value) : 0 }
  public init(floatLiteral value: Double) { self.init(value) }
  public init(integerLiteral value: Int) { self.init(Double(value)) }
  private init(unchecked value: Double) { self.value = value }

  /// Starts at once, also when as many downloads run as may.
  public static let urgent = LoadingPriority(unchecked: .greatestFiniteMagnitude)
  public static let normal = LoadingPriority(0.5)

  public static func < (a: LoadingPriority, b: LoadingPriority) -> Bool { a.value < b.value }
}
