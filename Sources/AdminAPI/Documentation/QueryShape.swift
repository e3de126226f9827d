import JSONText
import PackStore

/// Which query parameters a `GET` takes.
struct QueryShape: Sendable {
  /// A relationship that `include` may name.
  struct Include: Sendable {
    let name: String
    let resource: ResourceShape
    /// How many of it are in the answer for each resource at most, and without `limit[name]`; nil for a single one.
    var limit: (most: Int, usual: Int)?
  }

  /// What the answer is about.
  let resource: ResourceShape
  /// How the list can be narrowed and ordered; nil for a single resource.
  var list: ListSchema?
  /// Whether it is a list that has only its own order.
  var isPlainList = false
  var includes: [Include] = []
  /// More parameters with one value each, which the handler reads itself.
  var more: [(name: String, schema: JSONValue)] = []

  /// The most columns that `sort` takes.
  static let sortLimit = 3
  /// The most values between the commas of a parameter.
  static let valueLimit = 100

  /// Whether the answer comes in pages.
  var isList: Bool { list != nil || isPlainList }

  /// The types whose fields can be chosen.
  var fieldShapes: [ResourceShape] {
    var shapes = [resource]
    for include in includes where !shapes.contains(where: { $0.type == include.resource.type }) {
      shapes.append(include.resource)
    }
    return shapes
  }

  /// The columns as `sort` writes them.
  var sortNames: [String] { (list?.sorts ?? []).flatMap { [$0.name, "-\($0.name)"] } }

  /// The names of ``parameters``, which are looked at for every request.
  var parameterNames: [String] {
    var names = (list?.filters ?? []).map { "filter[\($0.name)]" }
    if list?.sorts.isEmpty == false { names.append("sort") }
    if isList { names += ["limit", "cursor"] }
    if !includes.isEmpty { names.append("include") }
    names += includes.compactMap { $0.limit == nil ? nil : "limit[\($0.name)]" }
    return names + fieldShapes.map { "fields[\($0.type)]" } + more.map(\.name)
  }

  /// Every parameter with the JSON Schema of its value; lists have commas between.
  var parameters: [(name: String, schema: JSONValue, isList: Bool)] {
    var all: [(String, JSONValue, Bool)] = []
    if let list {
      for column in list.filters {
        guard let filter = column.filter else { continue }
        all.append(("filter[\(column.name)]", Schema.list(Self.schema(filter), 1...Self.valueLimit), true))
      }
      if !list.sorts.isEmpty {
        all.append(("sort", Schema.list(Schema.choice(sortNames), 1...Self.sortLimit), true))
      }
    }
    if isList {
      all.append(("limit", Schema.integer(from: 1, to: 200), false))
      all.append(("cursor", Schema.text, false))
    }
    if !includes.isEmpty {
      var names = Schema.list(Schema.choice(includes.map(\.name)), 1...includes.count).object ?? JSONObject()
      names.set("uniqueItems", true)
      all.append(("include", .object(names), true))
    }
    for include in includes {
      guard let limit = include.limit else { continue }
      all.append(("limit[\(include.name)]", Schema.integer(from: 1, to: limit.most), false))
    }
    for shape in fieldShapes {
      all.append(("fields[\(shape.type)]", Schema.list(Schema.choice(shape.fieldNames), 1...Self.valueLimit), true))
    }
    return all + more.map { ($0.name, $0.schema, false) }
  }

  private static func schema(_ values: FilterValues) -> JSONValue {
    switch values {
    case .text: Schema.text(pattern: "^[^,&]+$")
    case .digest: Schema.digest
    case .number: Schema.integer(from: 1, to: Int.max)
    case .flag: Schema.choice(["true", "false"])
    case .choice(let names): Schema.choice(names.map(\.name))
    }
  }
}
