import AssetPacks
import Digests
import HTTPCore
import PackStore
import Testing
import TestSupport

@testable import AdminAPI

@Suite struct SignedTokenTests {
  @Test func aTokenOfARegisteredKeyIsWhomTheKeyStandsFor() throws {
    let tokens = try SignedTokens()
    let identity = try tokens.admit(tokens.request(tokens.token()), needed: .publisher).get()
    #expect(
      identity == TokenIdentity(id: tokens.record.id, name: "ci", role: .publisher, appID: tokens.app.id))
    #expect(tokens.admit(tokens.request(tokens.token()), needed: .admin).code == .forbidden)
    #expect(try tokens.store.apiKey(tokens.record.id).lastUsed == SignedTokens.now)
    try tokens.store.revokeAPIKey(tokens.record.id, actor: Actor(name: "test"))
    #expect(tokens.admit(tokens.request(tokens.token())).code == .unauthenticated)
  }

  @Test func whatClientsOfAppStoreConnectSendIsTaken() throws {
    let tokens = try SignedTokens()
    let now = SignedTokens.now
    for claims: [String: String?] in [
      ["iss": nil], ["iat": "\(now + 60)", "exp": "\(now + 1260)"], ["aud": #"["x","appstoreconnect-v1"]"#],
      ["iat": "\(now).75", "exp": "\(now + 1199).5"], ["sub": #""user""#, "bid": #""com.example""#],
      ["scope": #"["GET /v1/apps"]"#], ["nbf": "\(now)"], ["iat": "\(now - 1199)", "exp": "\(now + 1)"],
    ] {
      #expect(throws: Never.self, "\(claims)") {
        _ = try tokens.admit(tokens.request(tokens.token(claims: tokens.claims(claims)))).get()
      }
    }
    let id = tokens.record.id
    for header in [
      #"{"kid":"\#(id)","alg":"ES256"}"#, #"{"alg":"ES256","kid":"\#(id)","typ":"jwt","jku":"https://x"}"#,
    ] {
      #expect(tokens.admit(tokens.request(tokens.token(header: header))).code == nil)
    }
  }

  @Test func claimsThatAreNotGoodAreRefused() throws {
    let tokens = try SignedTokens(issuer: "issuer")
    let now = SignedTokens.now
    let cases: [([String: String?], String)] = [
      (["iat": nil], "iat"), (["exp": nil], "exp"), (["aud": nil], "aud"), (["iat": "\"\(now)\""], "iat"),
      (["iat": "1e999"], "iat"), (["iat": "-1"], "iat"), (["exp": "9e99"], "exp"), (["exp": "null"], "exp"),
      (["exp": "\(now + 1201)"], "20 minutes"), (["exp": "\(now)"], "20 minutes"),
      (["exp": "\(now - 5)"], "20 minutes"),
      (["iat": "\(now - 1200)", "exp": "\(now)"], "expired"),
      (["iat": "\(now + 61)", "exp": "\(now + 1000)"], "future"),
      (["iat": "0"], "20 minutes"), (["nbf": "\(now + 61)"], "future"), (["nbf": "true"], "nbf"),
      (["aud": #""appstoreconnect-v2""#], "aud"), (["aud": #"["appstoreconnect"]"#], "aud"), (["aud": "[]"], "aud"),
      (["aud": #"["appstoreconnect-v1",1]"#], "aud"), (["aud": #"{"appstoreconnect-v1":1}"#], "aud"),
      (["iss": #""other""#], "iss"), (["iss": nil], "iss"), (["iss": "1"], "iss"),
      (["scope": #""GET /v1/apps""#], "scope"),
      (["scope": "[]"], "scope"), (["scope": "[1]"], "scope"),
    ]
    for (claims, word) in cases {
      let result = tokens.admit(
        tokens.request(tokens.token(claims: tokens.claims(claims)), from: "192.0.2.\(cases.count)"))
      // The throttle is not what is tested here.
      tokens.time.advance(seconds: 1000)
      #expect(result.code == .unauthenticated, "\(claims)")
      #expect(result.detail.contains(word), "\(claims): \(result.detail)")
    }
  }

  @Test func forgedTokensAreRefused() throws {
    let tokens = try SignedTokens()
    let id = tokens.record.id
    let good = tokens.token()
    let parts = good.split(separator: ".").map { String($0) }
    let signed = parts[0] + "." + parts[1]
    let stranger = try SigningKey()
    func signedByHMAC(_ header: String, key: String) -> String {
      let text = SignedTokens.base64(header) + "." + parts[1]
      return text + "."
        + SignedTokens.base64(MessageAuthentication.code(key: Array(key.utf8), message: Array(text.utf8)))
    }
    func header(_ text: String) -> String { tokens.token(header: text) }
    let changedClaims = SignedTokens.base64(tokens.claims(["bid": "1"]))
    let last = good.last ?? "A"
    // The last character of 64 bytes has four bits that must be 0.
    let other = last == "A" ? "B" : last == "Q" ? "R" : last == "g" ? "h" : "x"
    let forged: [String: String] = [
      "none": SignedTokens.base64(#"{"alg":"none","kid":"\#(id)"}"#) + "." + parts[1] + ".",
      "None": header(#"{"alg":"None","kid":"\#(id)"}"#), "nOnE": header(#"{"alg":"nOnE","kid":"\#(id)"}"#),
      "none with a signature": header(#"{"alg":"none","kid":"\#(id)"}"#),
      "HS256 with the public key": signedByHMAC(#"{"alg":"HS256","kid":"\#(id)"}"#, key: tokens.key.publicPEM),
      "HS256 that says ES256": signedByHMAC(tokens.header, key: tokens.key.publicPEM),
      "lower case": header(#"{"alg":"es256","kid":"\#(id)"}"#), "ES384": header(#"{"alg":"ES384","kid":"\#(id)"}"#),
      "RS256": header(#"{"alg":"RS256","kid":"\#(id)"}"#), "a list": header(#"{"alg":["ES256"],"kid":"\#(id)"}"#),
      "ES256 with a zero": header(#"{"alg":"ES256\u0000","kid":"\#(id)"}"#),
      "no alg": header(#"{"kid":"\#(id)"}"#), "alg twice": header(#"{"alg":"none","alg":"ES256","kid":"\#(id)"}"#),
      "no kid": header(#"{"alg":"ES256"}"#), "another kid": header(#"{"alg":"ES256","kid":"AAAAAAAAAA"}"#),
      "SQL": header(#"{"alg":"ES256","kid":"' OR 1=1 --"}"#), "a path": header(#"{"alg":"ES256","kid":"../../x"}"#),
      "a number": header(#"{"alg":"ES256","kid":1}"#), "an empty kid": header(#"{"alg":"ES256","kid":""}"#),
      "crit": header(#"{"alg":"ES256","kid":"\#(id)","crit":["b64"],"b64":false}"#),
      "JWE": header(#"{"alg":"ES256","kid":"\#(id)","typ":"JWE"}"#),
      "a key of its own": tokens.token(
        header: #"{"alg":"ES256","kid":"\#(id)","jwk":{"kty":"EC"},"jku":"https://evil.example"}"#, key: stranger),
      "a stranger": tokens.token(key: stranger), "no signature": signed + ".", "no third part": signed,
      "a fourth part": good + ".AA", "an empty header": "." + parts[1] + "." + parts[2], "dots": "..", "a dot": ".",
      "other claims": parts[0] + "." + changedClaims + "." + parts[2],
      "the signature's form": signed + "." + SignedTokens.base64(tokens.key.signDER(Array(signed.utf8))),
      "zeros": signed + "." + SignedTokens.base64([UInt8](repeating: 0, count: 64)),
      "63 bytes": String(good.dropLast(2)), "65 bytes": good + "AA", "padding": good + "==",
      "another last character": good.dropLast() + other, "a line break": good.replacing(".", with: ".\n"),
      "the standard alphabet": parts[0] + "." + parts[1] + ".+/" + parts[2].dropFirst(2),
      "an array": header("[]"), "text": header("ES256"), "nested": header(String(repeating: "[", count: 100)),
      "claims that are no object": tokens.token(claims: "[1]"), "long": good + String(repeating: "A", count: 5000),
      "claims that end early": tokens.token(claims: #"{"iat":1"#),
      "exp twice": tokens.token(
        claims: String(tokens.claims().dropLast()) + #","exp":\#(SignedTokens.now + 5)}"#),
    ]
    #expect(tokens.admit(tokens.request(good)).code == nil)
    for (name, token) in forged {
      let result = tokens.admit(tokens.request(token))
      tokens.time.advance(seconds: 1000)
      #expect(result.code == .unauthenticated, "\(name): \(result)")
    }
  }

  @Test func theScopeOfATokenNarrowsIt() throws {
    let tokens = try SignedTokens()
    let scope = #"["GET /v1/apps?filter[bundleId]=a","POST /v1/releases"]"#
    let token = tokens.token(claims: tokens.claims(["scope": scope]))
    func code(_ method: RequestMethod, _ path: String, _ query: String? = nil) -> RefusalCode? {
      tokens.admit(tokens.request(token, method: method, path: path, query: query)).code
    }
    #expect(code(.post, "/v1/releases") == nil)
    #expect(code(.get, "/v1/apps", "filter%5BbundleId%5D=a&limit=5") == nil)
    #expect(code(.get, "/v1/apps") == .forbidden)
    #expect(code(.get, "/v1/apps", "filter%5BbundleId%5D=b") == .forbidden)
    #expect(code(.get, "/v1/releases") == .forbidden)
    #expect(code(.post, "/v1/releases/x") == .forbidden)
  }
}
