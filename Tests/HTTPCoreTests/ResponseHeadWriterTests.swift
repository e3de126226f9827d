import Testing

@testable import HTTPCore

@Suite struct ResponseHeadWriterTests {
  static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let described = "ETag: \"v1\"\r\nLast-Modified: \(date)\r\nCache-Control: no-cache\r\nAccept-Ranges: bytes\r\n"
  static let content = "Content-Type: application/octet-stream\r\n"

  func head(
    _ selection: Selection, keepAlive: Bool = true, minorVersion: UInt8 = 1, capacity: Int = 1024,
    representation: Representation = Sample.representation()
  ) -> String? {
    withUnsafeTemporaryAllocation(byteCount: max(capacity, 1), alignment: 1) { buffer in
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[0..<capacity])
      return Array(Self.date.utf8).withUnsafeBytes { date in
        ResponseHeadWriter.write(
          representation, selection, date: date, keepAlive: keepAlive, minorVersion: minorVersion, into: target)
      }.map { String(decoding: target[0..<$0], as: UTF8.self) }
    }
  }

  func head(_ message: Message, keepAlive: Bool = true, minorVersion: UInt8 = 1) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { target in
      Array(Self.date.utf8).withUnsafeBytes { date in
        ResponseHeadWriter.write(message, date: date, keepAlive: keepAlive, minorVersion: minorVersion, into: target)
      }.map { String(decoding: target[0..<$0], as: UTF8.self) }
    }
  }

  @Test func wholeRepresentation() {
    #expect(
      head(.whole)
        == "HTTP/1.1 200 OK\r\n\(Self.described)\(Self.content)Content-Length: 1000\r\nDate: \(Self.date)\r\n\r\n")
  }

  @Test func partOfARepresentation() {
    #expect(
      head(.range(offset: 5, length: 10))
        == "HTTP/1.1 206 Partial Content\r\n\(Self.described)\(Self.content)Content-Range: bytes 5-14/1000\r\n"
        + "Content-Length: 10\r\nDate: \(Self.date)\r\n\r\n")
  }

  @Test func notModifiedHasNeitherLengthNorContentFields() {
    #expect(
      head(.notModified) == "HTTP/1.1 304 Not Modified\r\n\(Self.described)Date: \(Self.date)\r\n\r\n")
  }

  @Test func refusalsHaveNoBody() {
    #expect(
      head(.preconditionFailed)
        == "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\nDate: \(Self.date)\r\n\r\n")
    #expect(
      head(.unsatisfiable)
        == "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */1000\r\nContent-Length: 0\r\n"
        + "Date: \(Self.date)\r\n\r\n")
  }

  @Test func connectionIsNamedOnlyWhereItDiffersFromTheVersionsDefault() {
    #expect(head(.notModified, keepAlive: false)?.hasSuffix("GMT\r\nConnection: close\r\n\r\n") == true)
    #expect(head(.notModified, keepAlive: false, minorVersion: 0)?.hasSuffix("\r\nConnection: close\r\n\r\n") == true)
    #expect(head(.notModified, minorVersion: 0)?.hasSuffix("\r\nConnection: keep-alive\r\n\r\n") == true)
  }

  @Test func everyBufferThatIsTooSmallGivesNil() throws {
    let whole = try #require(self.head(.range(offset: 0, length: 1)))
    for capacity in 0..<whole.utf8.count { #expect(head(.range(offset: 0, length: 1), capacity: capacity) == nil) }
    #expect(head(.range(offset: 0, length: 1), capacity: whole.utf8.count) == whole)
  }

  @Test func encodingAndVaryStandWhereTheyBelong() {
    let representation = Representation(
      bytes: StaticBytes("x"), contentType: "application/json", cacheControl: "no-cache", encoding: "gzip",
      vary: "Accept-Encoding", entityTag: "g", lastModified: nil, acceptsRanges: false,
      extraFields: [("X-A", "b")])
    #expect(
      head(.whole, representation: representation)
        == "HTTP/1.1 200 OK\r\nETag: \"g\"\r\nCache-Control: no-cache\r\nVary: Accept-Encoding\r\nX-A: b\r\n"
        + "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\nDate: \(Self.date)\r\n\r\n")
    #expect(head(.notModified, representation: representation)?.contains("Vary: Accept-Encoding\r\n") == true)
    #expect(head(.notModified, representation: representation)?.contains("Content-") == false)
  }

  @Test func valuesCannotAddLines() {
    let representation = Representation(
      bytes: StaticBytes("x"), contentType: "a\r\nX: y", cacheControl: "b\nZ: 1", entityTag: "q\"\r\n",
      lastModified: nil,
      acceptsRanges: false, extraFields: [("Bad Name", "x"), ("", "y")])
    #expect(representation.fields.text == "ETag: \"q\"\r\nCache-Control: bZ: 1\r\n")
    #expect(representation.contentFields.text == "Content-Type: aX: y\r\n")
    let message = Message(
      status: 200, fields: [("Location", "/a\r\nSet-Cookie: b"), ("A:b", "c"), ("Content-length", "5"), ("DATE", "x")])
    #expect(String(decoding: message.fields, as: UTF8.self) == "Location: /aSet-Cookie: b\r\n")
  }

  @Test func messages() {
    #expect(
      head(Message(status: 404, text: "no", fields: [("X-A", "b")]))
        == "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\nX-A: b\r\nContent-Length: 3\r\n"
        + "Date: \(Self.date)\r\n\r\n")
    #expect(head(Message(status: 204)) == "HTTP/1.1 204 No Content\r\nDate: \(Self.date)\r\n\r\n")
    #expect(head(Message(status: 304)) == "HTTP/1.1 304 Not Modified\r\nDate: \(Self.date)\r\n\r\n")
    #expect(head(Message(status: 200, closes: true))?.contains("Connection: close") == true)
    #expect(head(Message(status: 599))?.hasPrefix("HTTP/1.1 599 Unknown\r\n") == true)
    #expect(head(Message(RequestFault.targetTooLong))?.hasPrefix("HTTP/1.1 414 URI Too Long\r\n") == true)
  }

  @Test func numbersAreWrittenInFull() {
    for number in [0, 9, 10, 99, 100, 12345, Int.max] {
      let text = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { target in
        var cursor = HeadCursor(target)
        cursor.append(number: number)
        return String(decoding: target[0..<(cursor.written ?? 0)], as: UTF8.self)
      }
      #expect(text == "\(number)")
    }
  }
}
