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

extension CatalogConnection {
  /// One page of a list.
  ///
  /// - Parameters:
  ///   - condition: what all records of the list meet, with `values` in its places `?1`, `?2` ….
  ///   - load: the records of these sequence numbers, in any order.
  func page<Item: Sendable>(
    _ listing: Listing, where condition: String, _ values: any SQLBindable...,
    load: (_ sequences: [Int64]) throws(StoreFailure) -> [(seq: Int64, item: Item)]
  ) throws(StoreFailure) -> Page<Item> {
    let schema = listing.schema
    var condition = "(\(condition))"
    var values: [any SQLBindable] = values
    for filter in listing.filters {
      values.append(JSONValue.array(filter.values).text())
      let place = "?\(values.count)"
      condition += " AND \(filter.column.condition.split(separator: "?", maxSplits: 1).joined(separator: place))"
    }
    let total = try first("SELECT count(*) FROM \(schema.source) WHERE \(condition)", values) { $0.number(0) } ?? 0

    let keys = listing.keys
    if let cursor = listing.page.cursor, cursor.values.count == keys.count {
      let places = cursor.values.indices.map { "?\(values.count + 1 + $0)" }
      values += cursor.values
      condition += " AND \(Self.behind(keys, places))"
    }
    values.append(listing.page.limit + 1)
    let order = keys.map { "\($0.sql)\($0.isDescending ? " DESC" : "")" }.joined(separator: ", ")
    let rows = try rows(
      """
      SELECT \(schema.sequence), \(keys.map(\.sql).joined(separator: ", ")) FROM \(schema.source)
      WHERE \(condition) ORDER BY \(order) LIMIT ?\(values.count)
      """, values
    ) { row in (seq: row.integer(0), keys: keys.indices.map { row.sqlValue(Int32($0) + 1) }) }

    let shown = rows.prefix(listing.page.limit)
    let loaded = Dictionary(try load(shown.map(\.seq)).map { ($0.seq, $0.item) }, uniquingKeysWith: { $1 })
    let cursor = rows.count > shown.count ? shown.last.map { listing.cursor($0.keys) } : nil
    return Page(items: shown.compactMap { loaded[$0.seq] }, total: total, cursor: cursor)
  }

  /// The condition that a record comes after the place of a cursor.
  private static func behind(_ keys: [(sql: String, isDescending: Bool)], _ places: [String]) -> String {
    if Set(keys.map(\.isDescending)).count == 1 {
      // Row values, for which SQLite uses an index.
      let comparison = keys[0].isDescending ? "<" : ">"
      return "(\(keys.map(\.sql).joined(separator: ", "))) \(comparison) (\(places.joined(separator: ", ")))"
    }
    var alternatives: [String] = []
    for last in keys.indices {
      let equal = (0..<last).map { "\(keys[$0].sql) = \(places[$0])" }
      let beyond = "\(keys[last].sql) \(keys[last].isDescending ? "<" : ">") \(places[last])"
      alternatives.append("(\((equal + [beyond]).joined(separator: " AND ")))")
    }
    return "(\(alternatives.joined(separator: " OR ")))"
  }

  /// These numbers as a JSON array, for `IN (SELECT value FROM json_each(?))`.
  static func list(_ sequences: [Int64]) -> String {
    JSONValue.array(sequences.map { .integer($0) }).text()
  }

  /// The same of texts.
  static func list(_ texts: [String]) -> String { JSONValue.array(texts.map { .string($0) }).text() }
}

extension Listing {
  /// The place behind a record that has `values` for what the list is ordered by.
  fileprivate func cursor(_ values: [SQLValue]) -> PageCursor { PageCursor(order: orderText, values: values) }

  /// The order as `sort` writes it.
  package var orderText: String {
    order.map { "\($0.isDescending ? "-" : "")\($0.column.name)" }.joined(separator: ",")
  }
}
