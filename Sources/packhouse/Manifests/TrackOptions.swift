import AssetPacks
import JSONText

/// What the verbs of tracks share.
enum TrackOptions {
  static let app = Verb.Option.value("app", "BUNDLE_ID", "The app.")
  static let track = Verb.Option.value("track", "TRACK", "production, beta or internal.")
  static let confirm = Verb.Option.value(
    "confirm-removal", "PACK", "A pack that may disappear from a manifest; devices delete it.", repeats: true)

  /// The value of `--track`, which must be one.
  static func track(_ arguments: Arguments) throws(CommandFailure) -> String {
    let text = try arguments.required("track")
    guard Track(rawValue: text) != nil else {
      throw CommandFailure(
        "--track must be one of \(Track.allCases.map(\.rawValue).joined(separator: ", ")), not \(text).", .usage)
    }
    return text
  }

  static func confirmed(_ arguments: Arguments) -> JSONValue {
    .array(arguments.all("confirm-removal").map { .string($0) })
  }

  /// `PACK` or `PACK@VERSION`.
  static func pack(_ text: String) throws(CommandFailure) -> (identifier: String, version: String?) {
    guard let at = text.lastIndex(of: "@") else { return (text, nil) }
    let number = String(text[text.index(after: at)...])
    return (String(text[..<at]), try version(number, in: text))
  }

  /// A version's number.
  static func version(_ number: String, in text: String) throws(CommandFailure) -> String {
    guard let value = Int(number), value > 0 else {
      throw CommandFailure("\(text): the version must be a whole number above 0, not \(number).", .usage)
    }
    return String(value)
  }
}
