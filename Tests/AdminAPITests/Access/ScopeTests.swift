import HTTPCore
import JSONText
import Testing

@testable import AdminAPI

/// Every route, asked by a token of one app for what belongs to another. A new route is walked over as well: one that
/// does not say whom it is about, or about a thing that ``Tenant`` does not have, fails here.
@Suite struct ScopeTests {
  let fixture: APIFixture
  let mine: Tenant
  let theirs: Tenant

  init() throws {
    fixture = try APIFixture()
    mine = try Tenant(fixture, bundleID: "com.example.mine")
    theirs = try Tenant(fixture, bundleID: "com.example.theirs")
  }

  /// The routes that are about nobody's things.
  private static let open = ["/healthz", "/readyz", "/openapi.json"]

  private func path(_ route: Route, of tenant: Tenant) throws -> String {
    guard !route.valueNames.isEmpty else { return route.pattern }
    let type = try #require(route.pattern.split(separator: "/").dropFirst().first.map { String($0) })
    let id = try #require(tenant.ids[type], "\(route.pattern): make one of \(type) in Tenant")
    #expect(route.valueNames == ["id"], "\(route.pattern): a scope looks at one id")
    return route.pattern.replacing("{id}", with: id)
  }

  @Test func whatEveryRouteIsAboutIsSaid() {
    for route in fixture.api.routes {
      let name = "\(route.method.name) \(route.pattern)"
      switch route.place {
      case .open: #expect(Self.open.contains(route.pattern), "\(name) shows everybody everything; give it a scope")
      case .path: #expect(route.valueNames == ["id"], "\(name) has no {id}")
      case .server, .list, .body: #expect(route.valueNames.isEmpty, "\(name): nobody looks at the {id}")
      }
    }
    #expect(fixture.api.routes.count > 60)
  }

  @Test func thingsOfAnotherAppAreNotFoundByTheirPath() throws {
    let routes = fixture.api.routes.filter { $0.place == .path }
    #expect(routes.count > 30)
    for route in routes {
      let path = try path(route, of: theirs)
      let reply = fixture.send(route.method, path, "{}", token: mine.token)
      #expect(reply.status == 404 && reply.code == "NOT_FOUND", "\(route.method.name) \(path): \(reply.text)")
      // As if it were not there at all.
      let none = fixture.send(route.method, path.replacing(try id(path), with: "none"), "{}", token: mine.token)
      let same = reply.detail.replacing(try id(path), with: "none")
      #expect(none.status == 404 && none.detail == same, "\(route.method.name) \(path)")
      guard route.method == .get else { continue }
      #expect(fixture.send(.get, path, token: theirs.token).status == 200, "\(path): the owner sees it")
    }
  }

  private func id(_ path: String) throws -> String {
    String(try #require(path.split(separator: "/").dropFirst(2).first))
  }

  @Test func thingsOfAnotherAppAreRefusedInABody() throws {
    let routes = fixture.api.routes.filter { $0.place == .body }
    #expect(routes.count > 15)
    for route in routes {
      #expect(!route.relationships.names.isEmpty, "\(route.pattern)")
      for relationship in route.relationships.items {
        let body = try body(route, naming: relationship, of: theirs)
        let reply = fixture.send(route.method, route.pattern, body, token: mine.token)
        let place = "\(route.method.name) \(route.pattern) \(relationship.name): \(reply.text)"
        #expect(reply.status == 404 && reply.code == "NOT_FOUND", "\(place)")
        #expect(reply.detail == "There is no \(try kind(relationship.type)) \(theirs.ids[relationship.type] ?? "").")
      }
    }
  }

  private func kind(_ type: String) throws -> String {
    let kinds = [
      "apps": "app", "backgroundAssets": "asset pack", "backgroundAssetVersions": "version",
      "reviewSubmissions": "review submission", "reviewSubmissionItems": "review item", "webhooks": "webhook",
      "webhookDeliveries": "webhook delivery",
    ]
    return try #require(kinds[type], "\(type)")
  }

  @Test func whatIsAboutAllAppsIsForbidden() throws {
    for route in fixture.api.routes where route.place == .server {
      let reply = fixture.send(route.method, route.pattern, "{}", token: mine.token)
      #expect(reply.status == 403 && reply.code == "FORBIDDEN", "\(route.pattern): \(reply.text)")
    }
    let quota = #"{"data":{"type":"quotas","id":"\#(mine.app)","attributes":{"limit":1}}}"#
    #expect(fixture.send(.patch, "/v1/apps/\(mine.app)/quota", quota, token: mine.token).status == 403)
    for type in ["tokens", "apiKeys", "webhooks"] {
      let route = try #require(fixture.api.routes.first { $0.method == .post && $0.pattern == "/v1/\(type)" })
      let reply = fixture.send(.post, route.pattern, try body(route, naming: nil, of: mine), token: mine.token)
      #expect(reply.status == 403, "\(type): \(reply.text)")
    }
  }

  @Test func listsHoldNothingOfAnotherApp() throws {
    let routes = fixture.api.routes.filter { $0.place == .list }
    #expect(routes.count == 6)
    for route in routes {
      let reply = fixture.send(.get, "\(route.pattern)?limit=200", token: mine.token)
      #expect(reply.status == 200 && !reply.items.isEmpty, "\(route.pattern): \(reply.text)")
      for id in theirs.ids.values where id.utf8.count > 10 {
        #expect(!reply.text.contains(id), "\(route.pattern): \(id)")
      }
      guard route.documentation.query?.parameterNames.contains("filter[app]") == true else { continue }
      let narrowed = fixture.send(.get, "\(route.pattern)?filter[app]=\(theirs.app)", token: mine.token)
      #expect(narrowed.items.isEmpty && [200, 404].contains(narrowed.status), "\(route.pattern): \(narrowed.text)")
    }
  }

  /// A body that the route takes, as far as its schema says, which names one thing of a tenant.
  private func body(_ route: Route, naming named: Relationships.Item?, of tenant: Tenant) throws -> String {
    let schema = try #require(route.documentation.body?["properties"]?["data"])
    var data = JSONObject(
      (schema["properties"]?.object?.members ?? []).filter { $0.key == "type" || $0.key == "attributes" }.map {
        ($0.key, sample($0.value))
      })
    var related = JSONObject()
    func add(_ item: Relationships.Item, of tenant: Tenant) throws {
      let id = try #require(tenant.ids[item.type], "\(item.type): make one in Tenant")
      related.set(item.name, ["data": ["type": .string(item.type), "id": .string(id)]])
    }
    if case .all(let items) = route.relationships {
      for item in items where item.name != named?.name { try add(item, of: mine) }
    }
    if let named { try add(named, of: tenant) }
    data.set("relationships", .object(related))
    let body: JSONValue = ["data": .object(data)]
    return String(decoding: body.serialize(), as: UTF8.self)
  }

  /// A value that a schema allows: the least of each.
  private func sample(_ schema: JSONValue) -> JSONValue {
    if let value = schema["const"] ?? schema["enum"]?.array?.first { return value }
    switch schema["type"]?.string {
    case "object":
      let required = (schema["required"]?.array ?? []).compactMap(\.string)
      return .object(
        JSONObject(required.compactMap { name in schema["properties"]?[name].map { (name, sample($0)) } }))
    case "array":
      return .array(
        Array(repeating: sample(schema["items"] ?? .null), count: schema["minItems"]?.int ?? 0))
    case "integer": return .integer(schema["minimum"]?.int ?? 0)
    case "boolean": return true
    case "string":
      if schema["pattern"]?.string?.contains("BEGIN") == true { return "-----BEGIN PUBLIC KEY-----" }
      return .string(String(repeating: "a", count: schema["minLength"]?.int ?? 1))
    default: return .null
    }
  }
}
