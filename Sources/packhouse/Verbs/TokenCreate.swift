import AssetPacks
import Daemon
import JSONText
import PackStore
import SystemIO

extension Verb {
  static let tokenCreate = Verb(
    words: ["token", "create"], summary: "Make a token for the admin API, on the server's machine.",
    options: [
      .value("config", "FILE", "The server's configuration; it names the state folder."),
      .value("state", "DIR", "The state folder itself, such as the one of packhouse dev, instead of --config."),
      .value("role", "ROLE", "viewer, publisher, reviewer or admin."),
      .value("name", "NAME", "Who it is for, as the audit log will say (the role)."),
      .value("app", "BUNDLE_ID", "The only app that it is for."),
      .value("days", "N", "How long it is good; for ever without."),
      .flag("json", "Print the token as JSON."),
    ],
    details: "The token is shown once and kept as a hash only. The server may be running."
  ) { arguments throws(CommandFailure) in try createToken(arguments) }

  private static func createToken(_ arguments: Arguments) throws(CommandFailure) {
    let options = try storeOptions(arguments)
    guard let role = Role(rawValue: arguments.value("role") ?? "") else {
      throw CommandFailure("--role must be one of \(Role.allCases.map(\.rawValue).joined(separator: ", ")).", .usage)
    }
    let expires = try expiry(arguments.value("days"))
    do throws(StoreFailure) {
      let store = try PackStore(options)
      var app: String?
      if let bundleID = arguments.value("app") {
        guard let found = try store.apps(bundleID: bundleID).items.first else {
          throw .notFound(kind: .app, name: bundleID)
        }
        app = found.id
      }
      let token = try store.createToken(
        name: arguments.value("name") ?? role.rawValue, role: role, app: app, expires: expires,
        actor: Actor(name: "packhouse token create"))
      if arguments.has("json") {
        Output.write(["token": .string(token.secret), "id": .string(token.record.id), "role": .string(role.rawValue)])
      } else {
        Output.write("\(token.secret)\n")
        Output.tell("Keep it: it is not shown again.\n")
      }
    } catch {
      throw CommandFailure(error.sentence, .dataError)
    }
  }

  /// The state folder, opened beside a server that may be running.
  private static func storeOptions(_ arguments: Arguments) throws(CommandFailure) -> StoreOptions {
    var options: StoreOptions
    if let folder = arguments.value("state") {
      // No manifest is made here, so that the base of its links does not matter.
      options = StoreOptions(folder: folder, publicBaseURL: "https://localhost")
    } else {
      let path = try arguments.required("config")
      let settings: ServiceSettings
      do throws(DaemonFailure) { settings = try ServeProgram.settings(path) } catch { throw CommandFailure(error) }
      options = StoreOptions(folder: settings.stateDirectory, publicBaseURL: settings.publicBaseURL)
    }
    options.takesLock = false
    return options
  }

  private static func expiry(_ days: String?) throws(CommandFailure) -> Int64? {
    guard let days else { return nil }
    guard let count = Int64(days), (1...36_500).contains(count) else {
      throw CommandFailure("--days \(days) is no number from 1 to 36500.", .usage)
    }
    return WallClock.system.now() + count * 86_400
  }
}
