import AssetPacks

/// A selector and where it stands, for messages.
package struct SelectorPlace: Sendable, Equatable {
  /// The packaging manifest.
  let file: String
  /// From 1.
  let line: Int
  /// As it is written in JSON.
  let selector: String

  /// `Manifest.json: line 4: the selector {"file":"a"}`
  var text: String { "\(file): line \(line): \(name)" }

  /// `the selector {"file":"a"}`
  var name: String { "the selector \(selector)" }
}
