import Values

extension PropertyDictionary {
  /// Keys and values without the `<dict>` around them, to be pasted into another one.
  package func xmlMembers(indentation: Int) -> String {
    let tabs = String(repeating: "\t", count: indentation)
    return members.map { member in
      "\(tabs)<key>\(PropertyList.escape(member.key))</key>\n\(member.value.xmlElement(indentation: indentation))"
    }.joined(separator: "\n")
  }
}
