import AssetPacks
import JSONText
import Testing

struct PackagingManifestTests {
  static let full = """
    {
      // Apple's own template has comments and trailing commas.
      "assetPackID": "terrain-na",
      "downloadPolicy": { "prefetch": { "installationEventTypes": ["subsequentUpdate", "firstInstallation"] } },
      "fileSelectors": [
        { "file": "./readme.txt" },
        { "directory": "Levels/" },
        { "filePattern": "**/*.png" },
        { "fileSource": "a.bin", "fileDestination": "data/a.bin" },
        { "directorySource": ".", "directoryDestination": "Everything" },
        { "fileExclusion": "Levels/secret" },
      ],
      "platforms": ["iOS", "visionOS"],
      "language": "pt-br",
      "sourceRoot": "../Assets",
      "userInfo": { "z": 1, "a": [1.50] },
    }
    """

  @Test func readsEverySelector() throws {
    let manifest = try PackagingManifest.parse(Array(Self.full.utf8))
    #expect(manifest.assetPackID.text == "terrain-na")
    #expect(manifest.downloadPolicy == .prefetch(.both))
    #expect(
      manifest.fileSelectors == [
        .file("readme.txt"), .directory("Levels"), .filePattern(try GlobPattern("**/*.png")),
        .fileSource("a.bin", destination: "data/a.bin"), .directorySource(".", destination: "Everything"),
        .fileExclusion("Levels/secret"),
      ])
    #expect(manifest.platforms == [.iOS, .visionOS])
    #expect(manifest.language?.text == "pt-BR")
    #expect(manifest.sourceRoot == "../Assets")
    #expect(manifest.userInfo?.keys == ["z", "a"])
    #expect(manifest.warnings.isEmpty)
  }

  @Test func archiveFormIsCanonicalAndReadsBack() throws {
    var manifest = try PackagingManifest.parse(Array(Self.full.utf8))
    let bytes = manifest.archiveJSON(toolsVersion: "1.0")
    #expect(bytes == manifest.archiveJSON(toolsVersion: "1.0"))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("{\n  \"assetPackID\": \"terrain-na\",\n  \"downloadPolicy\": {\n    \"prefetch\": {"))
    #expect(text.contains("1.50"))
    let again = try PackagingManifest.parse(bytes, origin: .archive)
    manifest.toolsVersion = "1.0"
    #expect(again == manifest)
    #expect(
      failure { _ = try PackagingManifest.parse(bytes) }.contains(
        "toolsVersion: unknown key \"toolsVersion\", known are"))
  }

  @Test func emptyPlatformsMeanAll() throws {
    let text = #"{"assetPackID":"a_b","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"file":"a"}],"platforms":[]}"#
    let manifest = try PackagingManifest.parse(Array(text.utf8))
    #expect(manifest.effectivePlatforms == Set(Platform.allCases))
    #expect(manifest.warnings.count == 1)
  }

  @Test func everyFaultIsReportedAtOnce() {
    let text = """
      {
        "assetPackId": "x",
        "downloadPolicy": { "prefetch": { "installationEventTypes": ["firstInstalation"] } },
        "fileSelectors": [
          { "file": "/etc/passwd" },
          { "file": "a/../../b" },
          { "fileSource": "a" },
          { "file": "a", "directory": "b" },
          { "filePatern": "*" },
          { "directory": "." },
          { "filePattern": "[a" },
          7
        ],
        "platforms": ["iPadOS", "watchOS", "ios", "iOS", "iOS"],
        "language": "en_US",
        "sourceRoot": "/abs",
        "userInfo": []
      }
      """
    let expected = [
      "line 1, column 1: assetPackID: expected the pack's name, found nothing",
      "line 2, column 3: assetPackId: unknown key \"assetPackId\", did you mean \"assetPackID\"?",
      "line 3, column 64: downloadPolicy.prefetch.installationEventTypes[0]: expected \"firstInstallation\" or "
        + "\"subsequentUpdate\", found \"firstInstalation\", did you mean \"firstInstallation\"?",
      "line 5, column 7: fileSelectors[0].file: expected a relative path, found the absolute path \"/etc/passwd\"",
      "line 6, column 7: fileSelectors[1].file: expected a path without \"..\", \".\" and empty parts, found "
        + "\"a/../../b\"",
      "line 7, column 5: fileSelectors[2]: expected \"fileDestination\" beside \"fileSource\", found it alone",
      "line 8, column 5: fileSelectors[3]: expected one selector (\"file\", \"directory\", \"filePattern\", "
        + "\"fileSource\" with \"fileDestination\", \"directorySource\" with \"directoryDestination\", "
        + "\"fileExclusion\"), found \"file\" and \"directory\"",
      "line 9, column 7: fileSelectors[4].filePatern: unknown key \"filePatern\", did you mean \"filePattern\"?",
      "line 10, column 7: fileSelectors[5].directory: expected the path of a file or folder, found \".\"; "
        + "directorySource takes it",
      "line 11, column 7: fileSelectors[6].filePattern: \"[a\" is not a file pattern: expected a ] that closes the [",
      "line 12, column 5: fileSelectors[7]: expected an object, found an integer",
      "line 14, column 17: platforms[0]: expected \"iOS\", \"macOS\", \"tvOS\", \"visionOS\", found \"iPadOS\"; "
        + "iOS covers the iPad",
      "line 14, column 27: platforms[1]: expected \"iOS\", \"macOS\", \"tvOS\", \"visionOS\", found \"watchOS\"; "
        + "there are no asset packs on the watch",
      "line 14, column 38: platforms[2]: expected \"iOS\", \"macOS\", \"tvOS\", \"visionOS\", found \"ios\", "
        + "did you mean \"iOS\"?",
      "line 14, column 52: platforms[4]: expected each platform once, found \"iOS\" again",
      "line 15, column 3: language: \"en_US\" is not a language tag: expected a language of two or three "
        + "letters first, "
        + "as in en or pt-BR; write - instead of _",
      "line 16, column 3: sourceRoot: expected a path relative to the manifest's folder, found \"/abs\"",
      "line 17, column 3: userInfo: expected an object, found an array",
    ]
    let found = failure { _ = try PackagingManifest.parse(Array(text.utf8)) }.split(separator: "\n").map(String.init)
    #expect(found == expected)
  }

  @Test(arguments: [
    ("{", "line 1, column 2: expected a key, found the end of the document"),
    ("[]", "line 1, column 1: expected an object, found an array"),
  ])
  func otherTextsAreRefused(_ text: String, _ sentence: String) {
    #expect(failure { _ = try PackagingManifest.parse(Array(text.utf8)) } == sentence)
  }

  @Test(arguments: [
    (#"{}"#, "downloadPolicy: expected exactly one of \"essential\", \"prefetch\", \"onDemand\", found none"),
    (
      #"{"onDemand":{},"prefetch":{"installationEventTypes":["firstInstallation"]}}"#,
      "downloadPolicy: expected exactly one of \"essential\", \"prefetch\", \"onDemand\", found \"onDemand\" and "
        + "\"prefetch\""
    ),
    (
      #"{"essential":{"installationEventTypes":[]}}"#,
      "downloadPolicy.essential.installationEventTypes: expected at least one of \"firstInstallation\", "
        + "\"subsequentUpdate\", found an empty array"
    ),
    (
      #"{"essential":{}}"#,
      "downloadPolicy.essential.installationEventTypes: expected an array of \"firstInstallation\", "
        + "\"subsequentUpdate\", found nothing"
    ),
    (#"{"onDemand":{"x":1}}"#, "downloadPolicy.onDemand.x: unknown key \"x\", no key is known here"),
    (#""onDemand""#, "downloadPolicy: expected an object, found a string"),
    (#"{"ondemand":{}}"#, "downloadPolicy.ondemand: unknown key \"ondemand\", did you mean \"onDemand\"?"),
  ])
  func policiesAreExactlyOne(_ policy: String, _ problem: String) {
    let text = #"{"assetPackID":"a","fileSelectors":[{"file":"a"}],"platforms":[],"downloadPolicy":\#(policy)}"#
    #expect(failure { _ = try PackagingManifest.parse(Array(text.utf8)) }.hasSuffix(problem))
  }

  @Test func selectorsMustTakeSomething() {
    for (list, found) in [("[]", "none"), (#"[{"fileExclusion":"a"}]"#, "exclusions only")] {
      let text = #"{"assetPackID":"a","downloadPolicy":{"onDemand":{}},"platforms":[],"fileSelectors":\#(list)}"#
      #expect(
        failure { _ = try PackagingManifest.parse(Array(text.utf8)) }
          .hasSuffix("fileSelectors: expected at least one selector that takes files, found \(found)"))
    }
  }
}
