/// A value that is bound to a place of a statement.
package enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  init(_ value: Int64) { self = .integer(value) }
  init(_ value: Int) { self = .integer(Int64(value)) }
  init(_ value: String) { self = .text(value) }
  init(_ value: [UInt8]) { self = .bytes(value) }
  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  init<T: RawRepresentable>(_ value: T) where T.RawValue == String { self = .text(value.rawValue) }
}
