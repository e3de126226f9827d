import COpenSSL
import Glibc

/// Moments in certificates, as seconds since 1970 UTC.
package enum CertificateTime {
  /// One day in seconds; certificates know no leap seconds.
  package static let day: Int64 = 86_400

  /// "2027-03-01 12:00:00 UTC".
  package static func text(_ seconds: Int64) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&moment, &parts) != nil else { return "second \(seconds)" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress, strftime(start, buffer.count, "%Y-%m-%d %H:%M:%S UTC", &parts) > 0 else {
        return "second \(seconds)"
      }
      return String(cString: start)
    }
  }

  /// The moment in an ASN.1 time, or nil when it is malformed (RFC 5280 section 4.1.2.5).
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Int64(timegm(&parts))
  }
}
