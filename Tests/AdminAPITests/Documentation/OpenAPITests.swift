import HTTPCore
import JSONText
import Testing

@testable import AdminAPI

/// `/openapi.json` says all that there is, and nothing else.
@Suite struct OpenAPITests {
  let fixture: APIFixture
  let document: JSONValue

  init() throws {
    fixture = try APIFixture()
    let reply = fixture.get("/openapi.json")
    #expect(reply.status == 200)
    document = reply.json
  }

  private var operations: [(name: String, operation: JSONValue)] {
    (document["paths"]?.object?.members ?? []).flatMap { path in
      (path.value.object?.members ?? []).map { ("\($0.key.uppercased()) \(path.key)", $0.value) }
    }
  }

  @Test func everyRouteIsThereOnce() {
    let routes = fixture.api.routes.map { "\($0.method.name) \($0.pattern)" }
    let parts = "PUT \(UploadParts.pathPrefix){fileId}/{partNumber}"
    #expect(Set(routes).count == routes.count, "a route is in the table twice")
    #expect(Set(operations.map(\.name)) == Set(routes + [parts]))
    let names = operations.compactMap { $0.operation["operationId"]?.string }
    #expect(names.count == routes.count + 1)
    #expect(Set(names).count == names.count)
  }

  @Test func whatIsDescribedIsWhatIsTaken() {
    for route in fixture.api.routes {
      guard let query = route.documentation.query else { continue }
      #expect(query.parameterNames == query.parameters.map(\.name), "\(route.pattern)")
    }
  }

  @Test func everyReferenceLeadsSomewhere() {
    var references: Set<String> = []
    func collect(_ value: JSONValue) {
      for element in value.array ?? [] { collect(element) }
      for member in value.object?.members ?? [] {
        if member.key == "$ref", let target = member.value.string { references.insert(target) }
        collect(member.value)
      }
    }
    collect(document)
    #expect(references.count > 5)
    for reference in references {
      let keys = reference.split(separator: "/").dropFirst().map { JSONPath.Component.key(String($0)) }
      #expect(document[JSONPath(keys)]?.object != nil, "\(reference) leads nowhere")
    }
  }

  @Test func valuesOfPathsAndRolesAreDescribed() {
    for route in fixture.api.routes {
      let name = "\(route.method.name)".lowercased()
      let operation = document["paths"]?[route.pattern]?[name]
      let inPath = (operation?["parameters"]?.array ?? []).filter { $0["in"]?.string == "path" }
      #expect(inPath.compactMap { $0["name"]?.string } == route.valueNames, "\(route.pattern)")
      #expect((operation?["security"] != nil) == (route.role == nil), "\(name) \(route.pattern)")
    }
  }

  /// What is answered has the members that are described; bench/api/run checks their values.
  @Test func answersHaveTheMembersThatAreDescribed() throws {
    try fixture.fill(packs: 1, versions: 1)
    let app = try #require(fixture.get("/v1/apps").ids.first)
    let pack = try #require(fixture.get("/v1/apps/\(app)/backgroundAssets").ids.first)
    let reply = fixture.get("/v1/backgroundAssets/\(pack)/versions?include=backgroundAsset,appStoreRelease")
    for resource in reply.items + reply.included {
      let type = try #require(resource["type"]?.string)
      let schema = document[["components", "schemas", type, "properties"]]
      for part in ["attributes", "relationships"] {
        let known = schema?[part]?["properties"]?.object?.keys ?? []
        #expect(Set(resource[part]?.object?.keys ?? []) == Set(known), "\(type) \(part)")
      }
    }
  }
}
