/// The place in a list behind one of its records: what the list is ordered by, and what the record has for it.
///
/// A place and not a count: records that are added before it move nothing.
package struct PageCursor: Sendable, Equatable {
  /// The `sort` of the list; empty for its own order.
  package let order: String
  /// The values of the record, in that order; the last is its sequence number.
  package let values: [SQLValue]

  package init(order: String = "", values: [SQLValue]) {
    self.order = order
    self.values = values
  }

  /// The place behind a record of a list that has only its own order.
  package init(after sequence: Int64) { self.init(values: [.integer(sequence)]) }
}
