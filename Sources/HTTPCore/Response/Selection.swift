/// Which part of a representation answers a request, and with what status.
package enum Selection: Equatable, Sendable {
  /// 200 with all of it.
  case whole
  /// 206 with `length` bytes, at least one, from `offset`.
  case range(offset: Int, length: Int)
  /// 206 with several ranges as `multipart/byteranges`.
  case parts(MultipartBody)
  /// 304 without a body.
  case notModified
  /// 412 without a body.
  case preconditionFailed
  /// 416 without a body.
  case unsatisfiable

  /// The response's status.
  package var status: UInt16 {
    switch self {
    case .whole: 200
    case .range, .parts: 206
    case .notModified: 304
    case .preconditionFailed: 412
    case .unsatisfiable: 416
    }
  }
}
