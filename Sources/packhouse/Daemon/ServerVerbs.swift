import AssetPacks
import Daemon
import Development
import HTTPServer

extension Verb {
  static let serve = Verb(
    words: ["serve"], summary: "Run the server.",
    options: [
      .value("config", "FILE", "The configuration file (docs/configuration.md)."),
      .flag("check", "Check the configuration and its certificates, and exit."),
    ],
    details: "SIGTERM ends it after running transfers; SIGHUP reloads the configuration and certificates."
  ) { arguments throws(CommandFailure) in
    let path = try arguments.required("config")
    do throws(DaemonFailure) {
      if arguments.has("check") {
        try ServeProgram.check(path)
        return Output.write("\(path) is valid.\n")
      }
      try ServeProgram(configuration: path).run()
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension Verb {
  static let dev = Verb(
    words: ["dev"], summary: "Run a development server that needs no setup.",
    positionals: "[Manifest.json | pack.aar]…",
    count: 0...Int.max,
    options: [
      .value("state", "DIR", "The state folder (.packhouse); with the same folder, URLs and bytes stay the same."),
      .value(
        "listen", "ADDR:PORT",
        "The address for clients (127.0.0.1:8443: only this machine; 0.0.0.0:8443 opens it to the local network)."),
      .value("admin", "ADDR:PORT", "The address of the admin API (127.0.0.1:8444)."),
      .value("app", "BUNDLE_ID", "The app that the packs belong to (com.example.app)."),
      .flag("watch", "Rebuild and release packs when their files change."),
      .value("record", "FILE", "Append every request's head to FILE, one line of JSON each, up to 64 MiB."),
      .flag("json", "Print one line of JSON when ready, instead of text."),
    ],
    details:
      """
      Without packs it serves those of Examples/. It creates a certificate authority that clients must trust; the page
      at the URL that it prints explains how, with a QR code, and shows the requests of devices. Port 0 picks a free
      port and keeps it.
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
        "--\(option) must be ADDR:PORT, such as 127.0.0.1:8443 or [::1]:0, not \(text).", .usage)
    }
    return binding
  }
}
