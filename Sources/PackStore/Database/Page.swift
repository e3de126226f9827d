/// A page of a list, and where the next one begins.
package struct Page<Item: Sendable>: Sendable {
  package let items: [Item]
  /// How many there are in the whole list.
  package let total: Int
  /// Give this to get the next page; nil on the last one.
  package let cursor: PageCursor?

  /// `rows` may hold one more than `limit`, which only shows that there is a next page.
  init(rows: [(seq: Int64, item: Item)], total: Int, limit: Int) {
    items = rows.prefix(limit).map(\.item)
    cursor = rows.count > limit ? rows.prefix(limit).last.map { PageCursor(after: $0.seq) } : nil
    self.total = total
  }

  /// A list that is all on one page.
  package init(only items: [Item]) {
    self.items = items
    total = items.count
    cursor = nil
  }

  init(items: [Item], total: Int, cursor: PageCursor?) {
    self.items = items
    self.total = total
    self.cursor = cursor
  }

  /// The last record's sequence number, in a list that has only its own order; nil on the last page.
  package var next: Int64? {
    if case .integer(let sequence) = cursor?.values.last { sequence } else { nil }
  }
}

/// Where a list starts and how long a page is.
package struct PageRequest: Sendable {
  /// The cursor of the page before.
  package let cursor: PageCursor?
  /// 1…200.
  package let limit: Int

  package init(after: Int64? = nil, limit: Int = 50) {
    self.init(behind: after.map { PageCursor(after: $0) }, limit: limit)
  }

  package init(behind cursor: PageCursor?, limit: Int = 50) {
    self.cursor = cursor
    self.limit = min(max(limit, 1), 200)
  }

  /// The sequence number of the last record of the page before, in a list that has only its own order.
  package var after: Int64? {
    if case .integer(let sequence) = cursor?.values.last { sequence } else { nil }
  }
}

/// The place in a list behind one of its records: what the list is ordered by, and what the record has for it.
///
/// A position and not a count: records added before it do not shift the page.
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
