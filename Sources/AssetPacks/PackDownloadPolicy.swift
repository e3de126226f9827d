import JSONText
import Values

/// The installation events that a policy waits for. There is always at least one.
package enum InstallationEventTypes: CaseIterable, Sendable {
  case firstInstallation, subsequentUpdate, both

  /// The names on the wire, in a fixed order.
  package var names: [String] {
    switch self {
    case .firstInstallation: ["firstInstallation"]
    case .subsequentUpdate: ["subsequentUpdate"]
    case .both: ["firstInstallation", "subsequentUpdate"]
    }
  }
}

/// When a device downloads a pack.
package enum PackDownloadPolicy: Equatable, Sendable {
  /// Before the app can be opened.
  case essential(InstallationEventTypes)
  /// In the background, beginning with the installation.
  case prefetch(InstallationEventTypes)
  /// When the app asks for it.
  case onDemand

  /// The names of all policies.
  package static let names = ["essential", "prefetch", "onDemand"]

  /// The policy of that name, on both installation events where it has some; nil for another name.
  package init?(name: String) {
    switch name {
    case "essential": self = .essential(.both)
    case "prefetch": self = .prefetch(.both)
    case "onDemand": self = .onDemand
    default: return nil
    }
  }

  /// The only key of the policy's object.
  package var name: String {
    switch self {
    case .essential: "essential"
    case .prefetch: "prefetch"
    case .onDemand: "onDemand"
    }
  }

  /// The policy whose `json` this is; nil for anything else.
  package init?(json: JSONValue) {
    let events = InstallationEventTypes.allCases
    let all = [.onDemand] + events.map { .essential($0) } + events.map { PackDownloadPolicy.prefetch($0) }
    guard let found = all.first(where: { $0.json == json }) else { return nil }
    self = found
  }

  /// The object of both manifests: `{"prefetch":{"installationEventTypes":["firstInstallation"]}}`.
  package var json: JSONValue {
    switch self {
    case .essential(let events), .prefetch(let events):
      let names = events.names.map { JSONValue.string($0) }
      return .object(JSONObject([(name, ["installationEventTypes": .array(names)])]))
    case .onDemand: return ["onDemand": [:]]
    }
  }
}

extension ManifestReading {
  /// Reads a policy's object and notes what is wrong with it; nil when anything is.
  mutating func downloadPolicy(_ cursor: JSONCursor) -> PackDownloadPolicy? {
    guard let object = object(cursor, allowing: PackDownloadPolicy.names) else { return nil }
    let known = object.keys.filter { PackDownloadPolicy.names.contains($0) }
    guard known.count == 1, let name = known.first, let body = object.present(name) else {
      // An unknown key has been noted already and explains why none is known.
      if known.count > 1 || object.keys.isEmpty {
        let found = known.isEmpty ? "none" : known.map(quoted).joined(separator: " and ")
        note(cursor.path, "expected exactly one of \"essential\", \"prefetch\", \"onDemand\", found \(found)")
      }
      return nil
    }
    guard name != "onDemand" else { return self.object(body, allowing: []).map { _ in .onDemand } }
    guard let members = self.object(body, allowing: ["installationEventTypes"]),
      let list = required(members, "installationEventTypes", "an array of \"firstInstallation\", \"subsequentUpdate\""),
      let events = installationEventTypes(list)
    else { return nil }
    return name == "essential" ? .essential(events) : .prefetch(events)
  }

  private mutating func installationEventTypes(_ cursor: JSONCursor) -> InstallationEventTypes? {
    guard let elements = array(cursor) else { return nil }
    var names: Set<String> = []
    for element in elements {
      guard let name = string(element) else { return nil }
      guard InstallationEventTypes.both.names.contains(name) else {
        let hint =
          nearest(to: name, in: InstallationEventTypes.both.names).map { ", did you mean \(quoted($0))?" } ?? ""
        note(element.path, "expected \"firstInstallation\" or \"subsequentUpdate\", found \(quoted(name))" + hint)
        return nil
      }
      names.insert(name)
    }
    switch (names.contains("firstInstallation"), names.contains("subsequentUpdate")) {
    case (true, true): return .both
    case (true, false): return .firstInstallation
    case (false, true): return .subsequentUpdate
    case (false, false):
      note(cursor.path, "expected at least one of \"firstInstallation\", \"subsequentUpdate\", found an empty array")
      return nil
    }
  }
}
