import JSONText
import PackStore
import SystemIO
import Values

extension PageCursor {
  /// The cursor as clients get it: text that means nothing to them.
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
