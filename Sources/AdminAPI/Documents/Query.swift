import HTTPCore
import JSONText
import PackStore
import SystemIO
import Values

/// The query parameters of a list or a single resource: known ones are read, all others are refused.
struct Query {
  private var values: [String: String] = [:]
  /// What the shape of the list takes; nil for lists that have none.
  private let shape: QueryShape?
  private(set) var page = PageRequest()
  let target: String
  let targetWithoutCursor: String
  /// The relationships whose resources are wanted too.
  private(set) var include: Set<String> = []
  /// The fields that are wanted, by type; types that are not named have all of theirs.
  private(set) var fields: [String: Set<String>] = [:]
  private var filters: [Listing.Filter] = []
  private var order: [Listing.Order] = []

  /// - Parameters:
  ///   - shape: what the resource offers. Without one the list has only its own order.
  ///   - allowed: the names of more parameters.
  init(_ request: OwnedRequest, _ shape: QueryShape? = nil, allowing allowed: [String] = []) throws(APIFailure) {
    self.shape = shape
    target = request.path + (request.query.map { "?\($0)" } ?? "")
    let kept = (request.query ?? "").split(separator: "&").filter { !$0.hasPrefix("cursor=") }
    targetWithoutCursor = request.path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))

    let isList = shape?.isList ?? true
    let known = (shape?.parameterNames ?? ["limit", "cursor"]) + allowed
    for (name, value) in request.queryItems {
      guard known.contains(name) else {
        throw Self.refused(name, "The parameter \(name) is not known here; known are \(Self.names(known)).")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw Self.refused(name, "The parameter \(name) is given twice.")
      }
    }
    if let shape { try read(shape) }
    if isList { try readPage() }
  }

  /// The text of a parameter; nil when it was not given.
  subscript(_ name: String) -> String? { values[name] }

  /// One of an enum's raw values.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, _: Choice.Type) throws(APIFailure)
    -> Choice?
  {
    guard let text = values[name] else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw Self.refused(name, "\(name) is \(text); expected one of \(known).")
  }

  /// A positive whole number.
  func number(_ name: String) throws(APIFailure) -> Int? {
    guard let text = values[name] else { return nil }
    if let number = Int(text), number > 0 { return number }
    throw Self.refused(name, "\(name) is \(text); expected a number above 0.")
  }

  /// What is asked of a list of `schema`.
  func listing(_ schema: ListSchema) -> Listing { Listing(schema, filters: filters, order: order, page: page) }

  /// How many of a relationship's resources are wanted for each resource.
  func limit(of include: String) -> Int {
    let usual = shape?.includes.first { $0.name == include }?.limit?.usual ?? 1
    return values["limit[\(include)]"].flatMap { Int($0) } ?? usual
  }

  private mutating func read(_ shape: QueryShape) throws(APIFailure) {
    for column in shape.list?.filters ?? [] {
      let name = "filter[\(column.name)]"
      guard let filter = column.filter, let items = try items(name) else { continue }
      var wanted: [JSONValue] = []
      for item in items {
        guard let value = filter.value(item) else {
          throw Self.refused(name, "\(name) is \(item); expected \(filter.expected).")
        }
        wanted.append(value)
      }
      filters.append(Listing.Filter(column, wanted))
    }
    if let columns = shape.list?.sorts { try readOrder(columns) }
    for name in try items("include") ?? [] {
      try Self.check(name, among: shape.includes.map(\.name), of: "include")
      guard include.insert(name).inserted else { throw Self.refused("include", "include names \(name) twice.") }
    }
    for include in shape.includes {
      guard let limit = include.limit, let text = values["limit[\(include.name)]"] else { continue }
      guard let number = Int(text), (1...limit.most).contains(number) else {
        throw Self.refused(
          "limit[\(include.name)]", "limit[\(include.name)] is \(text); expected 1 to \(limit.most).")
      }
    }
    for resource in shape.fieldShapes {
      let name = "fields[\(resource.type)]"
      guard let items = try items(name) else { continue }
      for item in items { try Self.check(item, among: resource.fieldNames, of: name) }
      fields[resource.type] = Set(items)
    }
  }

  private mutating func readOrder(_ columns: [ListSchema.Column]) throws(APIFailure) {
    for item in try items("sort", most: QueryShape.sortLimit) ?? [] {
      let name = item.hasPrefix("-") ? String(item.dropFirst()) : item
      guard let column = columns.first(where: { $0.name == name }) else {
        let known = columns.flatMap { [$0.name, "-\($0.name)"] }.joined(separator: ", ")
        throw Self.refused("sort", "sort is \(item); expected one of \(known).")
      }
      // A column that is sorted by cannot be sorted by again.
      if order.contains(where: { $0.column.name == name }) { continue }
      order.append(Listing.Order(column, isDescending: item.hasPrefix("-")))
    }
  }

  private mutating func readPage() throws(APIFailure) {
    var limit = 50
    if let text = values["limit"] {
      guard let number = Int(text), (1...200).contains(number) else {
        throw Self.refused("limit", "limit is \(text.isEmpty ? "empty" : text); expected 1 to 200.")
      }
      limit = number
    }
    var cursor: PageCursor?
    if let text = values["cursor"] {
      guard let read = PageCursor(text: text), read.values.count == order.count + 1, case .integer = read.values.last
      else {
        throw Self.refused("cursor", "The cursor is not from this server; take it from links.next.")
      }
      let sort = shape?.list.map { listing($0).orderText } ?? ""
      guard read.order == sort else {
        throw Self.refused("cursor", "The cursor belongs to a list with another sort; start the list again.")
      }
      cursor = read
    }
    page = PageRequest(behind: cursor, limit: limit)
  }

  /// The pieces between the commas of a parameter; nil when it was not given.
  private func items(_ name: String, most: Int = QueryShape.valueLimit) throws(APIFailure) -> [String]? {
    guard let text = values[name] else { return nil }
    let items = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    if items.contains("") {
      throw Self.refused(name, "\(name) has an empty value; expected values separated by commas.")
    }
    guard items.count <= most else {
      throw Self.refused(name, "\(name) has \(items.count) values; expected at most \(most).")
    }
    return items
  }

  private static func check(_ item: String, among known: [String], of name: String) throws(APIFailure) {
    if !known.contains(item) {
      throw refused(name, "\(name) names \(item); expected one of \(known.joined(separator: ", ")).")
    }
  }

  private static func refused(_ name: String, _ detail: String) -> APIFailure {
    APIFailure(.parameterInvalid, detail, source: .parameter(name))
  }

  private static func names(_ known: [String]) -> String {
    known.isEmpty ? "none" : known.joined(separator: ", ")
  }
}

extension PageCursor {
  /// The cursor as clients get it: opaque text.
  var text: String {
    let values: [JSONValue] = self.values.map { value in
      switch value {
      case .integer(let number): .integer(number)
      case .text(let text): .string(text)
      case .null, .bytes: .null
      }
    }
    return hexadecimal(JSONValue.array([.string(order)] + values).serialize())
  }

  /// Reads what ``text`` wrote; nil for everything else.
  init?(text: String) {
    guard text.utf8.count <= 8192, let bytes = bytes(hexadecimal: text) else { return nil }
    guard let items = try? JSONParser.parse(bytes, limits: JSONLimits(depth: 1)).root.array, items.count >= 2,
      let order = items[0].string
    else { return nil }
    var values: [SQLValue] = []
    for item in items.dropFirst() {
      if let number = item.int {
        values.append(.integer(Int64(number)))
      } else if let text = item.string {
        values.append(.text(text))
      } else {
        return nil
      }
    }
    self.init(order: order, values: values)
  }
}
