import JSONText

/// All keys of a configuration file, in the order of the reference, and what must hold between them.
package struct ConfigurationTable<Settings: Sendable>: Sendable {
  package let keys: [ConfigurationKey<Settings>]
  package let rules: [ConfigurationRule<Settings>]

  package init(keys: [ConfigurationKey<Settings>], rules: [ConfigurationRule<Settings>] = []) {
    self.keys = keys
    self.rules = rules
  }

  /// Writes the default of each key that has one.
  package func writeDefaults(to settings: inout Settings) {
    for key in keys {
      // A test checks that each default is of its key's kind.
      if case .value(let value) = key.absence { try? key.write(value, &settings) }
    }
  }

  /// Reads a configuration file: JSON with comments, trailing commas, and keys without quotes.
  /// - Parameters:
  ///   - fileName: for the messages only.
  ///   - blank: what the values are written to.
  /// - Throws: `ConfigurationFailure` with every fault, each with its line and key path.
  package func parse(
    _ bytes: [UInt8], fileName: String, into blank: Settings
  ) throws(ConfigurationFailure) -> Settings {
    let document: JSONDocument
    do {
      document = try JSONParser.parse(bytes, dialect: .relaxed, limits: JSONLimits(byteCount: 1 << 20))
    } catch {
      let problem = "expected \(error.expected), found \(error.found)"
      throw .faults(
        fileName: fileName,
        [ConfigurationFailure.Fault(position: error.position, keyPath: "", problem: problem)])
    }
    var settings = blank
    writeDefaults(to: &settings)
    var reader = ConfigurationReader(document: document, table: self)
    reader.read(into: &settings)
    guard reader.faults.isEmpty else { throw .faults(fileName: fileName, reader.sortedFaults) }
    return settings
  }

  /// The keys whose values differ and that wait for a restart.
  package func restartOnlyDifferences(_ old: Settings, _ new: Settings) -> [String] {
    keys.filter { $0.change == .restart && $0.differs(old, new) }.map(\.keyPath)
  }
}

/// Something that must hold between several keys.
package struct ConfigurationRule<Settings: Sendable>: Sendable {
  /// Where a fault is noted: the property of the key.
  package let place: any ConfigurationKey<Settings>.Place
  let problem: @Sendable (Settings, GivenKeys<Settings>) -> String?

  /// - Parameter problem: the rest of the message after the key path; nil when all is well.
  package init(
    _ place: any ConfigurationKey<Settings>.Place,
    _ problem: @escaping @Sendable (Settings, GivenKeys<Settings>) -> String?
  ) {
    self.place = place
    self.problem = problem
  }
}

/// Which keys a file has, asked for by their properties.
package struct GivenKeys<Settings: Sendable> {
  var given: Set<PartialKeyPath<Settings>> = []
  var refused: Set<PartialKeyPath<Settings>> = []

  /// Whether the file has the key, sound or not.
  package func contains(_ place: PartialKeyPath<Settings>) -> Bool { given.contains(place) }

  /// Whether the key's value is the one of the file, or its default when the file has none.
  package func isSound(_ place: PartialKeyPath<Settings>) -> Bool { !refused.contains(place) }
}
