import JSONText

/// What the records of one kind can be filtered and sorted by.
package struct ListSchema: Sendable {
  /// A property of the records.
  package struct Column: Sendable {
    /// Its name in `filter[…]` and `sort`.
    package let name: String
    /// What a filter may ask for; nil when it only orders.
    package let filter: FilterValues?
    /// Whether lists can be ordered by it. What orders never changes, so that a cursor keeps its place.
    package let isSort: Bool
    /// The expression that has the property. It is never NULL when it orders.
    let sql: String
    /// The condition of a filter, where `?` is a JSON array of the values that are wanted.
    let condition: String

    /// - Parameter condition: what else than "is one of the values" a filter means.
    init(_ name: String, _ sql: String, filter: FilterValues? = nil, sorts: Bool = false, condition: String? = nil) {
      self.name = name
      self.sql = sql
      self.filter = filter
      isSort = sorts
      self.condition = condition ?? "\(sql) IN (SELECT value FROM json_each(?))"
    }
  }

  package let columns: [Column]
  /// The table, with the letter that the expressions use for it.
  let source: String
  /// The column that orders the records by creation; its values are unique.
  let sequence: String
  /// Whether a list without `sort` begins with the newest record.
  package let isNewestFirst: Bool

  /// The columns that a filter can ask for.
  package var filters: [Column] { columns.filter { $0.filter != nil } }
  /// The columns that order.
  package var sorts: [Column] { columns.filter(\.isSort) }
}

/// What a filter may ask for.
package enum FilterValues: Sendable {
  /// Any text.
  case text
  /// Hexadecimal digits, in any letter case.
  case digest
  /// Whole numbers above 0.
  case number
  /// `true` and `false`.
  case flag
  /// One of these names; the second is what the catalog has for it.
  case choice([(name: String, stored: String)])

  /// The raw values of an enum.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(of _: Choice.Type) -> FilterValues {
    .choice(Choice.allCases.map { ($0.rawValue, $0.rawValue) })
  }

  /// The value that the catalog has for `text`; nil when it is none of these.
  package func value(_ text: String) -> JSONValue? {
    switch self {
    case .text: .string(text)
    case .digest: .string(text.lowercased())
    case .number: Int(text).flatMap { $0 > 0 ? .integer($0) : nil }
    case .flag: text == "true" ? .integer(1) : text == "false" ? .integer(0) : nil
    case .choice(let names): names.first { $0.name == text }.map { .string($0.stored) }
    }
  }

  /// What is expected, for sentences.
  package var expected: String {
    switch self {
    case .text: "a text"
    case .digest: "hexadecimal digits"
    case .number: "a number above 0"
    case .flag: "true or false"
    case .choice(let names): "one of \(names.map(\.name).joined(separator: ", "))"
    }
  }
}
