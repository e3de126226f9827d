import AssetPacks
import Daemon
import Development
import HTTPServer

extension Verb {
  static let serve = Verb(
    words: ["serve"], summary: "Run the server.",
    options: [
      .value("config", "FILE", "The configuration file (docs/configuration.md)."),
      .flag("check", "Check the configuration and the certificates that it names, and end."),
    ],
    details: "SIGTERM lets transfers finish and ends; SIGHUP reads the configuration and the certificates again."
  ) { arguments throws(CommandFailure) in
    let path = try arguments.required("config")
    do throws(DaemonFailure) {
      if arguments.has("check") {
        try ServeProgram.check(path)
        return Output.write("\(path) is in order.\n")
      }
      try ServeProgram(configuration: path).run()
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension Verb {
  static let dev = Verb(
    words: ["dev"], summary: "Run a development server that needs nothing set up.",
    positionals: "[Manifest.json | pack.aar]…",
    count: 0...Int.max,
    options: [
      .value("state", "DIR", "The state folder (.packhouse); started again on it, URLs and bytes are the same."),
      .value(
        "listen", "ADDR:PORT",
        "Where clients connect (127.0.0.1:8443: this machine alone; 0.0.0.0:8443 lets the local network in)."),
      .value("admin", "ADDR:PORT", "Where the admin API listens (127.0.0.1:8444)."),
      .value("app", "BUNDLE_ID", "The app that the packs belong to (com.example.app)."),
      .flag("watch", "Make and release packs again when their files change."),
      .value("record", "FILE", "Append the head of every request to FILE, one line of JSON each, up to 64 MiB."),
      .flag("json", "Print one line of JSON when ready, instead of text."),
    ],
    details:
      """
      Without packs it serves those of Examples/. It makes its own certificate authority, which clients must trust; the
      page at the URL that it prints shows how, with a QR code, and what devices ask for. Port 0 picks a port and keeps
      it.
      """
  ) { arguments throws(CommandFailure) in
    var options = DevelopmentOptions(toolsVersion: Program.toolsVersion)
    options.inputs = arguments.positionals
    options.printsJSON = arguments.has("json")
    options.watches = arguments.has("watch")
    options.recordPath = arguments.value("record")
    if let state = arguments.value("state") { options.stateDirectory = state }
    if let app = arguments.value("app") { options.app = try bundleID(app) }
    if let text = arguments.value("listen") { options.listen = try binding(text, option: "listen") }
    if let text = arguments.value("admin") { options.admin = try binding(text, option: "admin") }
    do throws(DaemonFailure) {
      try DevelopmentServer(options).run()
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func bundleID(_ text: String) throws(CommandFailure) -> String {
    do throws(AssetPackFailure) { return try BundleID(text).text } catch {
      throw CommandFailure("--app: \(error.sentence).", .usage)
    }
  }

  private static func binding(_ text: String, option: String) throws(CommandFailure) -> HTTPServer.Binding {
    guard let binding = HTTPServer.Binding(text) else {
      throw CommandFailure(
        "--\(option) \(text) is not of the form ADDR:PORT, such as 127.0.0.1:8443 or [::1]:0.", .usage)
    }
    return binding
  }
}
