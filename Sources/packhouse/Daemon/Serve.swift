import Daemon

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
