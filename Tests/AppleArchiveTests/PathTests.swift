import Testing
import Values

@testable import AppleArchive

@Suite struct PathTests {
  @Test(arguments: [
    ("/etc/passwd", PathFault.absolute), ("../evil", .parentComponent), ("a/../b", .parentComponent),
    ("a/./b", .currentComponent), (".", .currentComponent), ("a//b", .emptyComponent), ("a/", .trailingSlash),
    ("", .empty), ("a\0b", .zeroByte), (String(repeating: "a", count: 256), .componentTooLong(bytes: 256, limit: 255)),
    (String(repeating: "ab/", count: 400), .tooLong(bytes: 1200, limit: 1023)),
    (String(repeating: "a/", count: 64) + "a", .tooDeep(depth: 65, limit: 64)),
  ])
  func refusesPathsThatNoPackMayHold(_ path: String, _ fault: PathFault) {
    let failure = failure(file(path))
    guard case .path(_, let found) = failure else {
      Issue.record("\(path): \(String(describing: failure))")
      return
    }
    #expect(found == fault)
  }

  @Test func refusesBytesThatAreNotText() {
    let bytes = entry([field("TYP1", [0x46]), text("PAT", [0xff, 0xfe]), field("DATA", [0, 0])])
    #expect(failure(bytes) == .path("\\u{fffd}\\u{fffd}", .notUTF8))
  }

  @Test func acceptsTheLongestAndDeepestPath() throws {
    let deep = String(repeating: "a/", count: 63) + "a"
    let long = [255, 255, 255, 255].map { String(repeating: "b", count: $0) }.joined(separator: "/")
    #expect(long.utf8.count == 1023)
    #expect(try inspect(file(deep) + file(long)).files == 2)
  }

  @Test func takesALeadingDotAwayWithAWarning() throws {
    let inspection = try inspect(file("./a/b"))
    #expect(inspection.entries.map(\.path.text) == ["a/b"])
    #expect(inspection.warnings.contains(.leadingDot(path: "a/b")))
    #expect(failure(file("././a"))?.code == "ARCHIVE_PATH")
  }

  @Test(arguments: [
    (["a", "a"], "ARCHIVE_PATH_COLLISION"), (["a/B", "a/b"], "ARCHIVE_PATH_COLLISION"),
    (["A/x", "a/y"], "ARCHIVE_PATH_COLLISION"), (["caf\u{e9}", "cafe\u{301}"], "ARCHIVE_PATH_COLLISION"),
    (["CAF\u{c9}/x", "cafe\u{301}/y"], "ARCHIVE_PATH_COLLISION"), (["straße", "STRASSE"], "ARCHIVE_PATH_COLLISION"),
    (["caf\u{e9}/x", "cafe\u{301}/y"], "ARCHIVE_PATH_COLLISION"),
    (["σας", "ΣΑΣ"], "ARCHIVE_PATH_COLLISION"), (["a", "a/b"], "ARCHIVE_PATH_PARENT"),
    (["a/b", "a"], "ARCHIVE_PATH"), (["a/b", "./a/b"], "ARCHIVE_PATH_COLLISION"),
  ])
  func refusesPathsThatCollide(_ paths: [String], _ code: String) {
    #expect(failure(paths.flatMap { file($0) })?.code == code, "\(paths)")
  }

  @Test func takesFoldersInAnyOrder() throws {
    #expect(try inspect(file("a/b") + directory("a") + file("c/d") + directory("")).entries.count == 4)
    #expect(failure(directory("a") + directory("a"))?.code == "ARCHIVE_PATH_COLLISION")
    #expect(failure(directory("") + directory(""))?.code == "ARCHIVE_PATH_COLLISION")
  }

  @Test(arguments: [
    ("a\u{1b}[31m", PathSuspicion.controlCharacter), ("a\u{202e}txt", .textDirection), ("..\\evil", .backslash),
    ("C:evil", .driveLetter), ("a/._b", .appleDouble), ("a/.DS_Store", .finderSettings), ("__MACOSX/a", .zipResources),
  ])
  func warnsOfSuspiciousPaths(_ path: String, _ suspicion: PathSuspicion) throws {
    let warnings = try inspect(file(path)).warnings
    let escaped = ArchivePath(checked: path).escaped
    #expect(warnings.contains(.pathSuspicion(path: escaped, suspicion)))
    for warning in warnings { #expect(!warning.sentence.unicodeScalars.contains { isInvisible($0) }) }
  }

  @Test func escapesWhatTerminalsWouldObey() {
    #expect(ArchivePath(checked: "a\u{1b}[31m\n\u{202e}\\é").escaped == "a\\u{1b}[31m\\u{a}\\u{202e}\\\\é")
    #expect(ArchivePath(checked: String(repeating: "x", count: 400)).escaped.count == 301)
  }

  @Test(arguments: [
    ("/etc", LinkFault.absolute), ("..", .leavesPack), ("../x", .leavesPack), ("a/..", .parentAfterName), ("", .empty),
    ("a\0", .zeroByte), (String(repeating: "a", count: 1024), .tooLong(bytes: 1024, limit: 1023)),
  ])
  func refusesLinksThatLeaveThePack(_ target: String, _ fault: LinkFault) {
    guard case .link("l", _, let found) = failure(link("l", target)) else {
      Issue.record("\(target) was accepted")
      return
    }
    #expect(found == fault)
  }

  @Test func listsLinksInsideWithAWarning() throws {
    let inspection = try inspect(file("a/b") + link("c/d/l", "../../a/./b"))
    #expect(inspection.links == 1)
    #expect(inspection.entries.last?.linkTarget?.text == "../../a/./b")
    #expect(inspection.warnings.contains(.link(path: "c/d/l", target: "../../a/./b")))
  }

  @Test func refusesToWriteThroughALink() {
    #expect(failure(directory("d") + link("l", "d") + file("l/x"))?.code == "ARCHIVE_PATH_PARENT")
    #expect(failure(file("l/x") + link("l", "d"))?.code == "ARCHIVE_PATH")
  }
}
