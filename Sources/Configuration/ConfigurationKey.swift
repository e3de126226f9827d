import JSONText

/// One key of the configuration file: a row of the table, with everything there is to say about the key.
///
/// The parser, the defaults, the messages and docs/configuration.md come from the rows. `Settings` is the program's own
/// value, and each row names the property of it that the key's value goes to.
package struct ConfigurationKey<Settings: Sendable>: Sendable {
  package typealias Place = PartialKeyPath<Settings> & Sendable

  /// What applies when the key is not in the file.
  package enum Absence: Sendable {
    case value(JSONValue)
    /// The key has no value; the text says what is done instead, beginning with "the".
    case nothing(String)
    /// It is a fault.
    case required
    /// It is a fault if the object of that name is present. Without the object the key has no value.
    case requiredIn(String)
  }

  /// When a new value takes effect.
  package enum Change: String, CaseIterable, Sendable {
    /// On `systemctl reload` (SIGHUP).
    case reload
    case restart
  }

  /// "limits.requestHead"
  package let keyPath: String
  package let place: any Place
  /// "a size from 1 KiB to 1 MiB"
  package let expectation: String
  package let absence: Absence
  package let change: Change
  /// What the key does, in a sentence for docs/configuration.md.
  package let summary: String
  let write: @Sendable (JSONValue, inout Settings) throws(ConfigurationMisfit) -> Void
  package let differs: @Sendable (Settings, Settings) -> Bool

  private init<Value: Equatable & Sendable, Property: Equatable & Sendable>(
    _ keyPath: String, _ place: WritableKeyPath<Settings, Property> & Sendable, _ kind: ConfigurationKind<Value>,
    _ absence: Absence, _ change: Change, _ summary: String, convert: @escaping @Sendable (Value) -> Property
  ) {
    self.keyPath = keyPath
    self.place = place
    expectation = kind.expectation
    self.absence = absence
    self.change = change
    self.summary = summary
    write = { (json, settings) throws(ConfigurationMisfit) in settings[keyPath: place] = convert(try kind.decode(json))
    }
    differs = { $0[keyPath: place] != $1[keyPath: place] }
  }

  /// A key with a default, written as it would be in the file.
  package init<Value: Equatable & Sendable>(
    _ keyPath: String, _ place: WritableKeyPath<Settings, Value> & Sendable, _ kind: ConfigurationKind<Value>,
    default value: JSONValue, change: Change = .restart, _ summary: String
  ) {
    self.init(keyPath, place, kind, .value(value), change, summary) { $0 }
  }

  /// A key that each file must have.
  package init<Value: Equatable & Sendable>(
    required keyPath: String, _ place: WritableKeyPath<Settings, Value> & Sendable, _ kind: ConfigurationKind<Value>,
    change: Change = .restart, _ summary: String
  ) {
    self.init(keyPath, place, kind, .required, change, summary) { $0 }
  }

  /// A key without a default: its property is nil when the file does not have it.
  /// - Parameter absence: what is done then, beginning with "the".
  package init<Value: Equatable & Sendable>(
    _ keyPath: String, _ place: WritableKeyPath<Settings, Value?> & Sendable, _ kind: ConfigurationKind<Value>,
    unset absence: String, change: Change = .restart, _ summary: String
  ) {
    self.init(keyPath, place, kind, .nothing(absence), change, summary) { $0 }
  }

  /// A key that an optional object must have. Its property is nil when the file does not have the object.
  package init<Value: Equatable & Sendable>(
    _ keyPath: String, requiredIn section: String, _ place: WritableKeyPath<Settings, Value?> & Sendable,
    _ kind: ConfigurationKind<Value>, change: Change = .restart, _ summary: String
  ) {
    self.init(keyPath, place, kind, .requiredIn(section), change, summary) { $0 }
  }
}

/// Collects the rows of a section; each is checked by the compiler on its own, which keeps long tables fast to build.
@resultBuilder
package enum ConfigurationRows<Settings: Sendable> {
  package static func buildBlock(_ rows: ConfigurationKey<Settings>...) -> [ConfigurationKey<Settings>] { rows }
}
