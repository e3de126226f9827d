import Foundation
import Testing

@testable import packhouse

/// The packer's verbs as a pipeline calls them: what they leave behind, and their exit codes.
@Suite struct PackVerbsTests {
  private let folder = NSTemporaryDirectory() + "packhouse-verbs-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/a", withIntermediateDirectories: true)
    try write("a/one.txt", "one")
    try write(
      "Manifest.json",
      #"{"assetPackID":"my_level","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"directory":"a"}],"#
        + #""platforms":[],"sourceRoot":"."}"#)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  /// Runs a verb; words with an `@` in front are names in the folder.
  private func run(_ line: String) -> Int32 {
    let words = line.split(separator: " ").map { $0.hasPrefix("@") ? "\(folder)/\($0.dropFirst())" : String($0) }
    return Program.run(["packhouse"] + words)
  }

  @Test func aPackGoesThroughEveryVerb() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(run("pack template -o @t.json") == 0)
    #expect(run("pack template -o @t.json") == 73)
    #expect(run("pack template -o @t.json --force --json") == 0)
    #expect(run("pack evaluate @Manifest.json --json") == 0)
    #expect(run("pack evaluate @Manifest.json --strict --quiet") == 65)
    #expect(run("pack evaluate @Manifest.json --strict --profile self-hosted") == 0)
    #expect(run("pack evaluate @Manifest.json --profile other") == 64)
    #expect(run("pack evaluate @nowhere.json") == 66)
    #expect(run("pack @Manifest.json -o @x.aar --sha256 --json") == 0)
    #expect(run("pack -o @x.aar @Manifest.json") == 73)
    #expect(run("pack -o @y.aar @Manifest.json --quiet") == 0)
    #expect(
      run("pack --help") == 0 && run("download-manifest -h") == 0 && run("pack") == 64 && run("pack pakage") == 64)
    try write("manifest", text("Manifest.json"))
    #expect(run("pack @manifest -o @z.aar --quiet") == 0)
    #expect(run("pack list @x.aar") == 0 && run("pack list @Manifest.json") == 65)
    #expect(run("pack inspect @x.aar --quiet") == 0 && run("pack list @x.aar --quiet") == 0)
    #expect(run("pack inspect @x.aar --max-bytes 10") == 65 && run("pack list @x.aar --max-entries 1") == 65)
    #expect(run("pack verify @x.aar --max-depth 1") == 65 && run("pack verify @x.aar --max-depth 0") == 64)
    #expect(run("pack template -o @a --force") == 73)
    #expect(run("pack verify @x.aar") == 0 && run("pack verify @x.aar --strict --json") == 65)
    #expect(run("pack extract @x.aar -o @out --contents --quiet") == 0)
    #expect(try text("out/a/one.txt") == "one")
    #expect(run("pack extract @x.aar -o @out") == 73)
    #expect(run("pack extract @x.aar -o @no/where") == 73)
    #expect(run("pack extract @x.aar -o @other --max-bytes 1") == 65)
    #expect(run("pack extract @x.aar -o @other --max-bytes x") == 64)
    #expect(run("pack diff @x.aar @x.aar --quiet") == 0)
    #expect(run("pack diff @x.aar @y.aar --json") == 1)
    #expect(run("pack diff @x.aar @t.json") == 65)
    #expect(run("pack convert @a --id level -o @m2.json") == 0 && run("pack evaluate @m2.json") == 0)
    #expect(run("pack convert @a --id not/good") == 64 && run("pack convert @a") == 64)
    #expect(run("pack convert @nowhere --id level") == 66)
    try write("bad.vdf", "\"DepotBuildConfig\" {")
    #expect(run("pack convert @bad.vdf --id level") == 65)
  }

  @Test func aHostWithoutTheDaemonGetsItsManifest() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let base = "--app com.example.game --base-url https://packs.example.com"
    #expect(run("pack @Manifest.json -o @x.aar --quiet") == 0)
    #expect(run("download-manifest create \(base) -o @m.json @x.aar --json") == 0)
    #expect(run("download-manifest create \(base) -o @m.json @x.aar") == 73)
    #expect(run("download-manifest create --app com.example.game @x.aar") == 64)
    #expect(run("download-manifest create --app com.example.game --base-url http://a.b @x.aar") == 64)
    #expect(run("download-manifest check @m.json @x.aar") == 0)
    let first = try text("m.json")
    #expect(run("download-manifest update --from @m.json -o @m.json @x.aar") == 0)
    #expect(try text("m.json") == first)
    try write("a/one.txt", "two")
    #expect(run("pack @Manifest.json -o @x.aar --quiet --force") == 0)
    #expect(run("download-manifest check @m.json @x.aar --json") == 65)
    #expect(run("download-manifest update --from @m.json -o @m.json @x.aar") == 0)
    #expect(try text("m.json").contains("\"version\":2"))
    #expect(run("download-manifest check @m.json @x.aar") == 0)
    #expect(run("download-manifest create \(base) -o @m.json @x.aar --force") == 65)
    #expect(try text("m.json").contains("\"version\":2"))
    #expect(run("download-manifest create \(base) -o @m.json @x.aar --force --first-version 2") == 0)
    #expect(run("download-manifest update --from @m.json -o @m.json @nowhere.aar") == 66)
  }
}
