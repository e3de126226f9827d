import Testing

/// The rules of the tree, each on texts that break it and on texts that do not.
@Suite struct RuleTests {
  private func file(_ path: String, _ text: String) -> ProjectTree.File {
    ProjectTree.File(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  private static let package = """
    func layer(_ name: String) -> Target { .target(name: name) }
    let package = Package(
      targets: [
        .systemLibrary(name: "CLow", pkgConfig: "low"),
        layer("Low", ["CLow"]), // layer("Comment")
        layer(
          "High",
          [
            "Low", "CLow",
          ], resources: [.embedInCode("Some/Folder")]),
        .executableTarget(name: "some-bench", dependencies: ["High"], path: "bench/some/tool"),
        .target(name: "Shared", dependencies: ["Low"], path: "Tests/Shared", exclude: ["Data"]),
        tests("High", ["High", "some-bench"]),
      ])
    """

  @Test func targetsAreReadFromTheDescription() throws {
    let lines = Self.package.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let targets = try PackageDescription(lines).targets
    #expect(targets.map(\.name) == ["CLow", "Low", "High", "some-bench", "Shared", "HighTests"])
    #expect(
      targets.map(\.folder) == [
        "Sources/CLow", "Sources/Low", "Sources/High", "bench/some/tool", "Tests/Shared", "Tests/HighTests",
      ])
    #expect(
      targets.map(\.dependencies) == [[], ["CLow"], ["Low", "CLow"], ["High"], ["Low"], ["High", "some-bench"]])
    #expect(targets.map(\.isTest) == [false, false, false, false, false, true])
    #expect(targets[2].line == 6)
  }

  @Test func aTargetDeclaresWhatItImportsAndImportsWhatItDeclares() throws {
    let lines = Self.package.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let targets = try PackageDescription(lines).targets
    func check(_ target: Int, _ text: String) -> [String] {
      ImportRule.violations(
        of: targets[target], in: [file("\(targets[target].folder)/A.swift", text)], programs: ["some-bench"])
    }
    #expect(check(2, "import CLow\nimport Glibc\n@testable import Low\n") == [])
    #expect(check(2, "import CLow\nimport struct Low.Value\nimport Other").count == 1)
    #expect(check(2, "import CLow\nimport Low\nimport Foundation").count == 1)
    #expect(check(2, "import CLow\n// import Low\nlet a = \"import Low\"").count == 1)
    #expect(check(5, "import Foundation\nimport Testing\nimport High") == [])
    #expect(check(5, "import Testing").count == 1)
    // Nothing but headers.
    #expect(ImportRule.violations(of: targets[1], in: []) == [])
  }

  @Test func declarationsAreFound() {
    let text = """
      import Glibc
      /// struct No {}
      @frozen public struct A<T>: Sendable {
        struct Inner { let text = "}" }
      }
      private final class B {
      }
      extension A.Inner where T == Int {
        func f() {
        }
      }
      func free(
        _ a: Int
      ) {
      }
      package indirect enum C: Error { case a }
      nonisolated(unsafe) let constant = 1
      """
    let found = Declarations(file("A.swift", text)).all
    #expect(found.map(\.name) == ["A", "B", "A", "free", "C", "constant"])
    #expect(found.map(\.kind) == [.type, .type, .extension, .other, .type, .other])
    #expect(found.map(\.isPrivate) == [false, true, false, false, false, false])
    #expect(found.map(\.length) == [3, 2, 4, 4, 1, 1])
  }

  @Test func aFileIsNamedAfterItsMainType() {
    func check(_ name: String, _ text: String) -> Int {
      FileNameRule.violations(in: file("Sources/T/\(name).swift", text), types: ["Other": ["Sources/B/Other.swift"]])
        .count
    }
    let record = "struct Record {\n  let a: Int\n  let b: Int\n}\n"
    let operations = "extension Store {\n  func a() {}\n  func b() {}\n  func c() {}\n  func d() {}\n}\n"
    #expect(check("Record", record) == 0)
    #expect(check("Note", record) == 1)
    // Named after the first or the largest of several.
    #expect(check("Record", record + "struct Large {\n  let a: Int\n  let b: Int\n  let c: Int\n}\n") == 0)
    #expect(check("Large", record + "struct Large {\n  let a: Int\n  let b: Int\n  let c: Int\n}\n") == 0)
    #expect(check("Small", record + "struct Small {\n}\n") == 1)
    // A type counts with what extends it here.
    #expect(check("Recording", record + "extension Record {\n  func a() {}\n  func b() {}\n}\n") == 1)
    // Mostly about something else: the concept, which is no type of another file.
    #expect(check("Records", record + operations) == 0)
    #expect(check("Other", record + operations) == 1)
    #expect(check("Records", operations) == 0)
    #expect(check("Other", operations) == 1)
    #expect(check("Store+Records", operations) == 0)
    #expect(check("Store+Records", operations + "private struct Row {\n}\n") == 0)
    #expect(check("Store+Records", operations + record) == 1)
    #expect(check("Store+Records", operations + "extension Other {\n  func a() {}\n}\n") == 1)
    let helpers = "extension Other {\n  fileprivate var a: Int {\n    let b = 1\n    return b\n  }\n"
    #expect(check("Store+Records", operations + helpers + "}\n") == 0)
    #expect(check("Store+Records", operations + helpers + "  var c: Int { 1 }\n}\n") == 1)
    #expect(
      check("Store+Records", operations + "extension Other {\n  var c: Int { 1 }\n  private var d: Int { 1 }\n}\n") == 1
    )
    #expect(check("Private", "private struct Hidden {\n}\n" + operations) == 0)
  }

  @Test func namesOfTypesAreTakenOnce() {
    let files = [
      file("Sources/A/One.swift", "struct One {\n  struct Two {}\n}\n"),
      file("Sources/B/Two.swift", "enum Two {\n}\nextension One {\n}\n"),
      file("Sources/B/Three.swift", "private struct Row {\n}\n"),
    ]
    #expect(TypeNameRule.violations(in: files) == [])
    #expect(TypeNameRule.violations(in: files + [file("Sources/C/X.swift", "final class One {\n}\n")]).count == 1)
    #expect(
      TypeNameRule.violations(in: files + [file("Sources/C/X.swift", "fileprivate struct Row {\n}\n")]).count == 1)
  }

  @Test func aRefusalTableHasNoDefault() {
    func check(_ path: String, _ text: String) -> Int { RefusalTableRule.violations(in: file(path, text)).count }
    let open = "var code: Int {\n  switch self {\n  case .a: 1\n  case .b(let c):\n    if c { 2 } else { 3 }\n"
    #expect(check("Sources/T/StoreFailure.swift", open + "  }\n}\n") == 0)
    #expect(check("Sources/T/StoreFailure.swift", open + "  default: 4\n  }\n}\n") == 1)
    #expect(check("Sources/T/StoreFailure.swift", open + "  case _: 4\n  }\n}\n") == 1)
    #expect(check("Sources/T/ErrorCode.swift", "return switch failure {\ncase .a: 1\n@unknown default: 2\n}\n") == 0)
    #expect(check("Sources/T/Refusal.swift", "return switch failure {\ncase .a: 1\ndefault: 2\n}\n") == 1)
    // Numbers cannot all be named, and what is no table may leave the rest alone.
    #expect(check("Sources/T/StoreFailure.swift", "switch number {\ncase 1: a()\ndefault: b()\n}\n") == 0)
    #expect(check("Sources/T/StoreFailure.swift", "switch (a, b) {\ncase (.x, 1): a()\ndefault: b()\n}\n") == 0)
    #expect(check("Sources/T/Store.swift", open + "  default: 4\n  }\n}\n") == 0)
    // The inner one is no part of the outer one.
    let inner = "switch self {\ncase .a:\n  switch number {\n  case 1: 1\n  default: 2\n  }\ncase .b: 3\n}\n"
    #expect(check("Sources/T/StoreFailure.swift", inner) == 0)
    #expect(check("Sources/T/StoreFailure.swift", inner.replacing("case 1: 1", with: "case .c: 1")) == 1)
  }

  @Test func testsDoNotSleepLong() throws {
    func check(_ text: String) throws -> Int { try SleepRule.violations(in: file("Tests/T/A.swift", text)).count }
    let short = [
      "usleep(100_000)", "usleep(50)", "Thread.sleep(forTimeInterval: 0.05)",
      "try await Task.sleep(for: .milliseconds(100))",
      "ClientPause.wait(.milliseconds(5))", "// usleep(1_000_000)", "let text = \"sleep(5)\"", "patience.sleeping(5)",
    ]
    for text in short { #expect(try check(text) == 0, "\(text)") }
    let long = [
      "usleep(100_001)", "sleep(1)", "Glibc.usleep(500000)".replacing("Glibc.", with: ""), "usleep(delay)",
      "Thread.sleep(forTimeInterval: 0.2)", "try await Task.sleep(for: .seconds(1))",
      "try await Task.sleep(nanoseconds: 200_000_000)", "ClientPause.wait(.milliseconds(101))",
      "while true { usleep(1_000_000) }",
    ]
    for text in long { #expect(try check(text) == 1, "\(text)") }
  }

  @Test func randomDataHasASeed() throws {
    func check(_ name: String, _ text: String) throws -> Int {
      try RandomnessRule.violations(in: file("Tests/T/\(name)", text)).count
    }
    let device = "/dev/" + "urandom"
    for text in [
      "Int.random(in: 1...5, using: &generator)", "list.shuffled(using: &generator)", "let id = UUID()", "randomize(a)",
      "// Int.random(in: 1...5)", "let text = \"shuffled()\"",
    ] { #expect(try check("A.swift", text) == 0, "\(text)") }
    for text in [
      "Int.random(in: 1...5)", "list.shuffled()", "list.shuffle()", "Bool.random()", "list.randomElement()",
      "var generator = SystemRandomNumberGenerator()", "arc4random_uniform(5)", "let bytes = try secureRandomBytes(5)",
      "open(\"\(device)\")",
    ] { #expect(try check("A.swift", text) == 1, "\(text)") }
    #expect(try check("a.py", "generator = random.Random(5)\ngenerator.randint(1, 2)") == 0)
    #expect(try check("a.py", "random.seed(5)\nrandom.randint(1, 2)") == 0)
    #expect(try check("a.py", "random.randint(1, 2)\nos.urandom(5)\nrandom.Random()") == 3)
    #expect(try check("run", "#!/usr/bin/env python3\nrandom.choice(a)") == 1)
    #expect(try check("run", "#!/usr/bin/env bash\nhead -c 5 \(device)\necho $RANDOM") == 2)
  }
}
