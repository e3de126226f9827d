import Daemon
import Glibc
import PackStore
import SystemIO

/// The state folder that a verb on the server's machine works with, beside a daemon that may be running.
enum StateFolder {
  static let options: [Verb.Option] = [
    .value("config", "FILE", "The server's configuration, which names the state folder."),
    .value("state", "DIR", "The state folder itself, such as the one of packhouse dev."),
  ]

  /// How the folder that `--config` or `--state` names is opened.
  static func options(_ arguments: Arguments) throws(CommandFailure) -> StoreOptions {
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

  /// Has a daemon that runs on the folder look at the catalog again; whether there is one that was told.
  static func tellDaemon(_ folder: String) -> Bool {
    guard let process = LockFile.holder("\(folder)/packhouse.lock"), process > 0 else { return false }
    return kill(process, SIGHUP) == 0
  }
}
