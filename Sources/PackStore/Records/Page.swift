/// A piece of a list, and where it goes on.
package struct Page<Item: Sendable>: Sendable {
  package let items: [Item]
  /// How many there are in the whole list.
  package let total: Int
  /// Give this as `after` to get the next page; nil on the last one.
  package let next: Int64?

  /// `rows` may hold one more than `limit`, which only tells that there is a next page.
  init(rows: [(seq: Int64, item: Item)], total: Int, limit: Int) {
    items = rows.prefix(limit).map(\.item)
    next = rows.count > limit ? rows.prefix(limit).last?.seq : nil
    self.total = total
  }
}

/// Where a list starts and how long a page is.
package struct PageRequest: Sendable {
  /// The `next` of the page before.
  package let after: Int64?
  /// 1…200.
  package let limit: Int

  package init(after: Int64? = nil, limit: Int = 50) {
    self.after = after
    self.limit = min(max(limit, 1), 200)
  }
}
