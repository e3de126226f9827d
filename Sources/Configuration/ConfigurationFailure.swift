import JSONText

/// Why a text is not a configuration.
package enum ConfigurationFailure: Error, Equatable, Sendable {
  /// Every fault, in the order of the text.
  case faults(fileName: String, [Fault])

  /// One thing that is wrong.
  package struct Fault: Equatable, Sendable {
    /// The position of the value, or of the object that lacks it.
    package let position: TextPosition
    /// "limits.requestHead"; empty for the whole text.
    package let keyPath: String
    package let problem: String
  }

  package var faults: [Fault] {
    switch self {
    case .faults(_, let faults): faults
    }
  }

  /// One line for each fault: "packhouse.json:12:5: limits.requestHead: expected …".
  package var sentence: String {
    switch self {
    case .faults(let fileName, let faults):
      faults.map { fault in
        let place = "\(fileName):\(fault.position.line):\(fault.position.column): "
        return place + (fault.keyPath.isEmpty ? "" : fault.keyPath + ": ") + fault.problem
      }.joined(separator: "\n")
    }
  }
}
