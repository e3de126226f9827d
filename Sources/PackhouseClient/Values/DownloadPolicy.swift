import JSONText

/// When a device downloads a pack.
public enum DownloadPolicy: Sendable, Hashable {
  /// A time at which the system installs the app.
  public enum InstallationEvent: String, Sendable, CaseIterable {
    case firstInstallation
    case subsequentUpdate
  }

  /// Before the app can be opened.
  case essential(Set<InstallationEvent>)
  /// Begun with the installation, and not waited for.
  case prefetch(Set<InstallationEvent>)
  /// When the app asks.
  case onDemand

  /// Nil unless the value is an object with exactly one of the three keys and a non-empty list of known events.
  init?(_ value: JSONValue) {
    guard let object = value.object, object.count == 1, let member = object.members.first else { return nil }
    if member.key == "onDemand" {
      guard member.value.object != nil else { return nil }
      self = .onDemand
      return
    }
    guard let names = member.value["installationEventTypes"]?.array, !names.isEmpty else { return nil }
    var events: Set<InstallationEvent> = []
    for name in names {
      guard let event = name.string.flatMap(InstallationEvent.init) else { return nil }
      events.insert(event)
    }
    switch member.key {
    case "essential": self = .essential(events)
    case "prefetch": self = .prefetch(events)
    default: return nil
    }
  }
}
