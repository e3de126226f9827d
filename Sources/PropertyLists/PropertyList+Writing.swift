import Values

extension PropertyList {
  /// The value as an XML property list, with tabs as Xcode writes it.
  package var xml: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(xmlElement(indentation: 0))
    </plist>

    """
  }

  /// The value's element alone, each line with `indentation` tabs in front.
  package func xmlElement(indentation: Int) -> String {
    let tabs = String(repeating: "\t", count: indentation)
    switch self {
    case .string(let text): return "\(tabs)<string>\(Self.escape(text))</string>"
    case .integer(let number): return "\(tabs)<integer>\(number)</integer>"
    case .real(let number): return "\(tabs)<real>\(number)</real>"
    case .bool(let flag): return "\(tabs)<\(flag ? "true" : "false")/>"
    case .date(let seconds): return "\(tabs)<date>\(PropertyListDate.text(seconds))</date>"
    case .data(let bytes): return "\(tabs)<data>\(Base64.encode(bytes))</data>"
    case .array(let elements):
      if elements.isEmpty { return "\(tabs)<array/>" }
      let lines = elements.map { $0.xmlElement(indentation: indentation + 1) }
      return (["\(tabs)<array>"] + lines + ["\(tabs)</array>"]).joined(separator: "\n")
    case .dictionary(let members):
      if members.members.isEmpty { return "\(tabs)<dict/>" }
      return "\(tabs)<dict>\n\(members.xmlMembers(indentation: indentation + 1))\n\(tabs)</dict>"
    }
  }

  /// Text between tags; control characters, which XML 1.0 cannot hold, become spaces.
  package static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20: escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
