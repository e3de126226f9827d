import JSONText

/// Which records are wanted, in which order, and which piece of the list.
package struct Listing: Sendable {
  /// Records whose property is one of the values.
  package struct Filter: Sendable {
    package let column: ListSchema.Column
    package let values: [JSONValue]

    package init(_ column: ListSchema.Column, _ values: [JSONValue]) {
      self.column = column
      self.values = values
    }
  }

  package struct Order: Sendable {
    package let column: ListSchema.Column
    package let isDescending: Bool

    package init(_ column: ListSchema.Column, isDescending: Bool) {
      self.column = column
      self.isDescending = isDescending
    }
  }

  package let schema: ListSchema
  package var filters: [Filter]
  package var order: [Order]
  package var page: PageRequest

  package init(_ schema: ListSchema, filters: [Filter] = [], order: [Order] = [], page: PageRequest = .init()) {
    self.schema = schema
    self.filters = filters
    self.order = order
    self.page = page
  }

  /// The expressions that order, the most important first. The last one leaves no two records equal.
  var keys: [(sql: String, isDescending: Bool)] {
    let last = order.last?.isDescending ?? schema.isNewestFirst
    return order.map { ($0.column.sql, $0.isDescending) } + [(schema.sequence, last)]
  }
}
