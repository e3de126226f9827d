import COpenSSL

extension Certificate {
  var isSelfSigned: Bool { X509_self_signed(pointer, 0) == 1 }

  /// Without the common name, as on devices.
  func matches(_ name: SubjectName) -> Bool {
    switch name {
    case .dns(let text):
      let flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
      return X509_check_host(pointer, text, text.utf8.count, flags, nil) == 1
    case .address(let text): return X509_check_ip_asc(pointer, text, 0) == 1
    }
  }

  /// "SHA256", or the signature's name where there is no digest of its own.
  var signatureDigest: String {
    var digest: Int32 = 0
    guard X509_get_signature_info(pointer, &digest, nil, nil, nil) == 1, digest != NID_undef,
      let name = OBJ_nid2sn(digest)
    else { return OBJ_nid2sn(X509_get_signature_nid(pointer)).map { String(cString: $0) } ?? "an unknown digest" }
    return String(cString: name)
  }

  /// Whether the extended key usage says so; a certificate without it does not.
  var isForServers: Bool {
    X509_get_extension_flags(pointer) & UInt32(EXFLAG_XKUSAGE) != 0
      && X509_get_extended_key_usage(pointer) & UInt32(XKU_SSL_SERVER) != 0
  }
}
