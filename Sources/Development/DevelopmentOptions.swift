import HTTPServer

/// What `packhouse dev` is told.
package struct DevelopmentOptions: Sendable {
  /// The state folder; kept from run to run.
  package var stateDirectory = ".packhouse"
  package var listen = HTTPServer.Binding(host: "127.0.0.1", port: 8443)
  package var admin = HTTPServer.Binding(host: "127.0.0.1", port: 8444)
  package var app = "com.example.app"
  /// Packaging manifests and archives; empty means those of `Examples/`.
  package var inputs: [String] = []
  /// One line of JSON on standard output instead of text.
  package var printsJSON = false
  /// A file that gets the head of every request; nil for none.
  package var recordPath: String?
  /// Whether packs are made again when their files change.
  package var watches = false
  package var toolsVersion: String

  package init(toolsVersion: String) { self.toolsVersion = toolsVersion }
}
