import AssetPacks
import Foundation
import Testing

@testable import Packing

@Suite struct PackEvaluationTests {
  private let folder: PackFolder

  init() throws {
    folder = try PackFolder()
    try folder.write("a/one.txt", "1")
    try folder.write("a/b/two.txt", "22")
    try folder.write("a/b/three.bin", "333")
    try folder.write("top.txt", "4444")
  }

  private func evaluate(_ selectors: String, more: String = "") throws -> PackEvaluation {
    try PackEvaluation(try folder.manifest(selectors: selectors, more: more))
  }

  @Test(arguments: [
    (#"[{"file":"top.txt"}]"#, ["top.txt"]), (#"[{"directory":"a/b"}]"#, ["a/b/three.bin", "a/b/two.txt"]),
    (#"[{"filePattern":"*.txt"}]"#, ["top.txt"]),
    (#"[{"filePattern":"**/*.txt"}]"#, ["a/b/two.txt", "a/one.txt", "top.txt"]),
    (#"[{"fileSource":"top.txt","fileDestination":"x/y.txt"}]"#, ["x/y.txt"]),
    (#"[{"directorySource":"a","directoryDestination":"."}]"#, ["b/three.bin", "b/two.txt", "one.txt"]),
    (#"[{"directory":"a"},{"fileExclusion":"a/b"}]"#, ["a/one.txt"]),
    (#"[{"directory":"a"},{"file":"a/one.txt"}]"#, ["a/b/three.bin", "a/b/two.txt", "a/one.txt"]),
  ])
  func selectorsTakeTheirFiles(_ selectors: String, _ expected: [String]) throws {
    #expect(try evaluate(selectors).contents.files.map(\.devicePath) == expected)
  }

  @Test func eachSelectorTellsWhatItTook() throws {
    let evaluation = try evaluate("[{\"directory\":\"a\"},\n{\"fileExclusion\":\"a/b\"},\n{\"fileExclusion\":\"x\"}]")
    #expect(evaluation.contents.matches.map(\.line) == [4, 5, 6])
    #expect(
      evaluation.contents.matches.map(\.devicePaths) == [
        ["a/b/three.bin", "a/b/two.txt", "a/one.txt"], ["a/b/three.bin", "a/b/two.txt"], [],
      ])
    #expect(evaluation.contentBytes == 1)
    #expect(evaluation.text.contains("line 5  {\"fileExclusion\":\"a/b\"} takes out 2 files\n"))
    #expect(
      evaluation.findings(profile: .appStore).map(\.sentence) == [
        "\(folder["Manifest.json"]): line 6: {\"fileExclusion\":\"x\"} takes out nothing; correct it or take it out."
      ])
  }

  @Test(arguments: [
    (
      #"[{"file":"no"}]"#, #"line 4: the selector {"file":"no"} matches nothing below ROOT; correct it or take it out."#
    ),
    (
      #"[{"directory":"top.txt"}]"#,
      #"line 4: the selector {"directory":"top.txt"} needs a folder, but ROOT/top.txt is not one."#
    ),
    (#"[{"file":"a"}]"#, #"line 4: the selector {"file":"a"} needs a file, but ROOT/a is not one."#),
    (
      #"[{"file":"link"}]"#,
      #"line 4: the selector {"file":"link"} takes ROOT/link, which is a symbolic link or a special file; "#
        + "a pack holds plain files only, so put the file itself there."
    ),
    (
      #"[{"filePattern":"a/*.png"}]"#,
      #"line 4: the selector {"filePattern":"a/*.png"} matches nothing below ROOT; correct it or take it out."#
    ),
  ])
  func selectorsThatFitNothingNameTheirLine(_ selectors: String, _ expected: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: folder["top.txt"])
    let sentence = PackFolder.sentence { _ = try evaluate(selectors) }
    #expect(sentence == "\(folder["Manifest.json"]): " + expected.replacingOccurrences(of: "ROOT", with: folder.path))
  }

  @Test func twoFilesForOnePathAreRefused() throws {
    let sentence = PackFolder.sentence {
      _ = try evaluate(#"[{"file":"top.txt"},{"fileSource":"a/one.txt","fileDestination":"top.txt"}]"#)
    }
    #expect(
      sentence == "\(folder["Manifest.json"]): line 4: the selector "
        + #"{"fileSource":"a/one.txt","fileDestination":"top.txt"} gives the path top.txt in the pack to "#
        + "\(folder["a/one.txt"]), but the selector {\"file\":\"top.txt\"} in line 4 gives it to "
        + "\(folder["top.txt"]); give one of them another destination.")
  }

  @Test func theProfileDecidesAboutTheID() throws {
    let evaluation = try PackEvaluation(try folder.manifest(id: "my_pack"))
    #expect(evaluation.findings(profile: .selfHosted).isEmpty)
    let findings = evaluation.findings(profile: .appStore)
    #expect(findings.map(\.code) == ["PACK_ID_STORE_PROFILE"])
    #expect(findings[0].sentence.contains("use \"my-pack\" if the pack may move"))
  }

  @Test func pathsOfOtherPacksAreFound() throws {
    try folder.write("o/A/ONE.txt", "1")
    try folder.write("o/a/b", "a file where the pack has a folder")
    try folder.write("o/top.txt/x", "a folder where the pack has a file")
    try folder.manifest(
      "other.json", id: "other", selectors: #"[{"directorySource":"o/A","directoryDestination":"A"}]"#)
    try folder.manifest(
      "third.json", id: "third", selectors: #"[{"directorySource":"o/a","directoryDestination":"a"}]"#)
    try folder.manifest(
      "fourth.json", id: "fourth", selectors: #"[{"directorySource":"o/top.txt","directoryDestination":"top.txt"}]"#)
    try folder.pack("third.json", "third.aar")
    try folder.manifest("same.json")
    let others = try ["other.json", "third.aar", "fourth.json", "same.json"].map { try DevicePaths.read(folder[$0]) }
    let evaluation = try evaluate(#"[{"directory":"a"},{"file":"top.txt"}]"#)
    let found = evaluation.findings(profile: .appStore, against: others)
    let manifest = folder["Manifest.json"]
    #expect(
      found.map(\.sentence) == [
        "\(manifest): \"a/one.txt\" is in \(folder["other.json"]) too as \"A/ONE.txt\", and which of them a device "
          + "keeps is undefined.",
        "\(manifest): \"a/b/three.bin\" lies in a folder that is a file in \(folder["third.aar"]), \"a/b\".",
        "\(manifest): \"a/b/two.txt\" lies in a folder that is a file in \(folder["third.aar"]), \"a/b\".",
        "\(manifest): \"top.txt\" is a file, but a folder in \(folder["fourth.json"]), which has \"top.txt/x\".",
        "\(folder["same.json"]) has the same assetPackID, so its paths were not compared.",
      ])
  }

  @Test func theTemplateIsAManifest() throws {
    try folder.write("Manifest.json", ManifestTemplate.text)
    let (manifest, _) = try PackBuilder.read(folder["Manifest.json"])
    #expect(Set(manifest.fileSelectors.map { $0.json.object?.keys.first }).count == 6)
    for key in ["language", "sourceRoot", "userInfo", "platforms"] {
      #expect(ManifestTemplate.text.contains("\"\(key)\":"))
    }
    #expect(manifest.language != nil && manifest.sourceRoot != nil && manifest.userInfo != nil)
  }
}
