import AssetPacks
import Foundation
import HTTPCore
import JSONText
import Observability
import PackStore
import Testing

@testable import AdminAPI

/// `docs/api.md` describes exactly the routes of the program.
@Suite struct DocumentedRoutesTests {
  /// A heading `### METHOD /path` and the line below it.
  private struct Description {
    let line: Int
    let name: String
    let role: String
  }

  let document: Document

  init() throws { document = try Document("docs/api.md") }

  @Test func everyRouteIsDescribedWithItsRole() throws {
    let descriptions = self.descriptions
    for (name, role) in try routes() {
      let words = role.map { "Role: `\($0.rawValue)`." } ?? "No token."
      guard let description = descriptions.first(where: { $0.name == name }) else {
        Issue.record("docs/api.md:1: the route \(name) is not described; add the heading “### \(name)” and “\(words)”")
        continue
      }
      #expect(
        description.role.hasPrefix(words),
        "docs/api.md:\(description.line): the paragraph below \(name) must begin with “\(words)”")
    }
  }

  @Test func everyDescribedRouteExists() throws {
    // Answered outside the table of routes, because its body goes straight to the disk.
    let known = Set(try routes().map(\.0)).union(["PUT \(UploadParts.pathPrefix){fileId}/{partNumber}"])
    for description in descriptions {
      #expect(
        known.contains(description.name) || !description.name.contains("/v1/"),
        "docs/api.md:\(description.line): there is no route \(description.name); remove it or correct its path")
    }
    #expect(descriptions.contains { $0.name == "PUT /uploads/{fileId}/{partNumber}" })
  }

  @Test func everyExampleIsJSON() {
    var block: (start: Int, lines: [String])?
    var count = 0
    for (index, line) in document.lines.enumerated() {
      if line == "```json" {
        block = (index, [])
      } else if line == "```", let (start, lines) = block {
        count += 1
        block = nil
        do throws(JSONFailure) {
          _ = try JSONParser.parse(Array(lines.joined(separator: "\n").utf8), dialect: .strict)
        } catch {
          Issue.record("\(document.place(start)): the example is not JSON: \(error.sentence); correct it")
        }
      } else {
        block?.lines.append(line)
      }
    }
    #expect(count > 10)
  }

  private var descriptions: [Description] {
    document.lines.indices.compactMap { index in
      let words = document.lines[index].split(separator: " ")
      guard words.count == 3, words[0] == "###", words[2].hasPrefix("/") else { return nil }
      let role = document.lines[(index + 1)...].first { !$0.isEmpty } ?? ""
      return Description(line: index + 1, name: "\(words[1]) \(words[2])", role: role)
    }
  }

  /// Method and pattern of every route, with the role that it needs.
  private func routes() throws -> [(String, Role?)] {
    let folder = NSTemporaryDirectory() + "packhouse-routes-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try PackStore(StoreOptions(folder: folder, publicBaseURL: "https://packs.example.com"))
    let dependencies = AdminAPI.Dependencies(
      bodyLimit: 1 << 20, isReady: { true }, settled: { _ in }, committed: {})
    let resources = AdminResources(
      store: store, dependencies: dependencies, log: Log(threshold: .error),
      signer: UploadSigner(key: [], clock: .system))
    return resources.routes.map { route in
      let path = route.segments.map { segment in
        switch segment {
        case .text(let text): "/\(text)"
        case .value: "/{id}"
        }
      }
      return ("\(route.method.name) \(path.joined())", route.role)
    }
  }
}
