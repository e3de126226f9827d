import Foundation
import Testing
import TestSupport

/// What the program says when it cannot start: one line for the person, and an exit code of sysexits(3).
@Suite(.waits) struct StartFailureTests {
  /// Files of a configuration that would work, and the ports in it.
  private struct Setup {
    let folder: TemporaryFolder
    let port: UInt16
    let adminPort: UInt16
    var config: String { folder.file("packhouse.json") }

    init() throws {
      folder = try TemporaryFolder()
      port = try Ports.take()
      adminPort = try Ports.take()
      try TestAuthority().issue(into: folder)
      try folder.write("packhouse.json", TestDaemon.configuration(folder, port, adminPort))
    }

    func change(_ text: String, to other: String) throws {
      let old = try String(contentsOfFile: config, encoding: .utf8)
      guard old.contains(text) else { throw Failure("\(text) is not in the configuration") }
      try folder.write("packhouse.json", old.replacing(text, with: other))
    }
  }

  /// Runs the program to its end: code, and the one line on standard error.
  private func run(_ words: [String], _ folder: TemporaryFolder) throws -> (exit: ChildProcess.Exit, line: String) {
    let path = folder.file("errors-\(UUID().uuidString)")
    let process = try ChildProcess(ChildProcess.packhouse, words, errorPath: path)
    let output = try process.rest()
    let exit = try process.finish()
    #expect(output.isEmpty, "\(output)")
    let lines = process.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(process.errors)")
    let line = String(lines.first ?? "")
    #expect(line.hasPrefix("packhouse: "), "\(line)")
    // A position in a file ends without a full stop, as compilers write it.
    #expect(line.contains(/:\d+:\d+:/) || line.hasSuffix(".") || line.hasSuffix("?"), "\(line)")
    return (exit, line)
  }

  @Test func aBusyPort() throws {
    for listener in ["client", "admin"] {
      let setup = try Setup()
      let other = try TestDaemon.service()
      let port = listener == "client" ? setup.port : setup.adminPort
      try setup.change("\"127.0.0.1:\(port)\"", to: "\"127.0.0.1:\(other.port)\"")
      let (exit, line) = try run(["serve", "--config", setup.config], setup.folder)
      #expect(exit == .code(69))
      #expect(line.contains("127.0.0.1:\(other.port)"))
      let words = [
        "dev", "--state", setup.folder.file("dev"), "--listen", "127.0.0.1:\(other.port)", "--admin",
        "127.0.0.1:\(setup.adminPort)", try setup.folder.write("p.aar", try Packs.make("p")),
      ]
      let (devExit, devLine) = try run(words, setup.folder)
      #expect(devExit == .code(69))
      #expect(devLine.contains("127.0.0.1:\(other.port)"))
    }
  }

  @Test func aMissingKey() throws {
    let setup = try Setup()
    try FileManager.default.removeItem(atPath: setup.folder.file("leaf.key"))
    let (exit, line) = try run(["serve", "--config", setup.config], setup.folder)
    #expect(exit == .code(78))
    #expect(line.contains(setup.folder.file("leaf.key")))
  }

  @Test func aKeyOfAnotherCertificate() throws {
    let setup = try Setup()
    let certificate = try Data(contentsOf: URL(fileURLWithPath: setup.folder.file("leaf.pem")))
    try TestAuthority().issue(into: setup.folder)
    try setup.folder.write("leaf.pem", [UInt8](certificate))
    let (exit, line) = try run(["serve", "--config", setup.config], setup.folder)
    #expect(exit == .code(78))
    #expect(line.contains("leaf.key") && line.contains("leaf.pem"))
  }

  @Test func aCheckOfTheConfigurationLooksAtTheCertificatesToo() throws {
    let setup = try Setup()
    let words = ["serve", "--config", setup.config, "--check"]
    let process = try ChildProcess(ChildProcess.packhouse, words, errorPath: setup.folder.file("errors"))
    #expect(try process.finish() == .code(0), "\(process.errors)")
    try FileManager.default.removeItem(atPath: setup.folder.file("leaf.key"))
    let (exit, line) = try run(words, setup.folder)
    #expect(exit == .code(78))
    #expect(line.contains(setup.folder.file("leaf.key")))
  }

  @Test func aCertificateThatIsNone() throws {
    let setup = try Setup()
    try setup.folder.write("leaf.pem", "not a certificate\n")
    let (exit, line) = try run(["serve", "--config", setup.config], setup.folder)
    #expect(exit == .code(78))
    #expect(line.contains("leaf.pem"))
  }

  @Test func aStateFolderThatCannotBeMade() throws {
    let setup = try Setup()
    // Below a regular file, where root cannot make a folder either.
    let path = "\(try setup.folder.write("file", "x"))/state"
    try setup.change(setup.folder.file("state"), to: path)
    let (exit, line) = try run(["serve", "--config", setup.config], setup.folder)
    #expect(exit == .code(73))
    #expect(line.contains(path))
    let (devExit, devLine) = try run(["dev", "--state", path], setup.folder)
    #expect(devExit == .code(73))
    #expect(devLine.contains(path))
  }

  @Test func anUnknownConfigurationKey() throws {
    let setup = try Setup()
    try setup.change("publicBaseURL:", to: "publicBaseUrl:")
    let path = setup.folder.file("errors")
    let process = try ChildProcess(ChildProcess.packhouse, ["serve", "--config", setup.config], errorPath: path)
    #expect(try process.finish() == .code(78))
    #expect(process.errors.contains("publicBaseUrl"))
    #expect(process.errors.contains("publicBaseURL"))
    try setup.change("publicBaseUrl:", to: "publicBaseURL:")
    try setup.change("partSize:", to: "partSise:")
    let (exit, line) = try run(["serve", "--config", setup.config], setup.folder)
    #expect(exit == .code(78))
    #expect(line.contains("limits.partSise") && line.contains("partSize"))
  }

  @Test func aConfigurationThatIsNotThereOrNotJSON() throws {
    let setup = try Setup()
    let (exit, line) = try run(["serve", "--config", setup.folder.file("none.json")], setup.folder)
    #expect(exit == .code(78))
    #expect(line.contains("none.json"))
    try setup.folder.write("packhouse.json", "{ stateDirectory: \n")
    let (second, reason) = try run(["serve", "--config", setup.config], setup.folder)
    #expect(second == .code(78))
    #expect(reason.contains("packhouse.json"))
  }

  @Test func aSecondDaemonOnTheSameState() throws {
    let first = try TestDaemon.service()
    let setup = try Setup()
    try setup.change(setup.folder.file("state"), to: first.state)
    let (exit, line) = try run(["serve", "--config", setup.config], setup.folder)
    #expect(exit == .code(69))
    #expect(line.contains(first.state))
    #expect(line.contains("\(first.process.pid)"))
    #expect(try first.admin().get("/v1/apps").status == 200)
  }

  @Test func inputsThatAreNotThereOrNoPacks() throws {
    let folder = try TemporaryFolder()
    func dev(_ inputs: String...) throws -> (exit: ChildProcess.Exit, line: String) {
      let words = ["dev", "--state", folder.file("state"), "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]
      return try run(words + inputs, folder)
    }
    let (exit, line) = try dev(folder.file("none.aar"))
    #expect(exit == .code(66))
    #expect(line.contains("none.aar"))
    #expect(try dev(folder.file("Manifest.json")).exit == .code(66))
    let (bad, reason) = try dev(try folder.write("bad.aar", "no archive at all"))
    #expect(bad == .code(65))
    #expect(reason.contains("bad.aar"))
    let (twice, both) = try dev(
      try folder.write("a.aar", try Packs.make("p", [1])), try folder.write("b.aar", try Packs.make("p", [2])))
    #expect(twice == .code(65))
    #expect(both.contains("a.aar") && both.contains("b.aar"))
  }

  @Test func resultsThatCannotBeWrittenAreAFailure() throws {
    let folder = try TemporaryFolder()
    for (output, code) in [("/dev/full", 74), ("/dev/null", 0)] {
      let words = ["-c", "exec \"$0\" --version >\(output)", ChildProcess.packhouse]
      let process = try ChildProcess("/bin/sh", words, errorPath: folder.file("errors"))
      #expect(try process.finish() == .code(Int32(code)), "\(output) \(process.errors)")
    }
  }

  @Test func noFileTakesThePlaceOfAClosedStandardDescriptor() throws {
    let folder = try TemporaryFolder()
    let words = [
      "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", ChildProcess.packhouse, "dev", "--state", folder.file("state"),
      "--listen",
      "127.0.0.1:0", "--admin", "127.0.0.1:0", try folder.write("p.aar", try Packs.make("p")),
    ]
    let process = try ChildProcess("/bin/sh", words, errorPath: folder.file("errors"))
    let deadline = ContinuousClock.now + .seconds(60)
    while !FileManager.default.fileExists(atPath: folder.file("state/development.json")) {
      guard ContinuousClock.now < deadline else { throw Failure("the daemon has not begun after 60 s") }
      usleep(20_000)
    }
    for descriptor in 0...2 {
      let link = "/proc/\(process.pid)/fd/\(descriptor)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    }
    process.send(SIGTERM)
    #expect(try process.finish() == .code(0))
  }

  @Test func wordsThatMeanNothing() throws {
    let folder = try TemporaryFolder()
    for words in [
      ["serv"], ["serve"], ["dev", "--app", "no bundle id"], ["serve", "--confg", "x"], ["dev", "--listen", "nowhere"],
      ["token", "creat"],
    ] {
      let (exit, _) = try run(words, folder)
      #expect(exit == .code(64), "\(words)")
    }
  }
}
