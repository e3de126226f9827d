import COpenSSL

/// One thing that devices want of a certificate, and whether it is so.
package struct CertificateCheck: Sendable, Equatable {
  package enum Verdict: Sendable { case ok, warning, fault }

  /// `certificate.chain`, `certificate.name`, `certificate.key` and so on.
  package let name: String
  package let verdict: Verdict
  /// One sentence.
  package let sentence: String
  /// What to do; nil when it is so.
  package let fix: String?
}

/// Holds a server's certificates against what Apple's devices accept: chain, names, key sizes, signatures, lifetime,
/// use and dates.
package struct CertificateExamination {
  /// The authorities one of which must have signed the chain.
  package enum Trust: Sendable {
    case system
    /// These authorities and no others.
    case only(PEMText)
    /// The last certificate of the chain itself when it has signed itself, else the system's authorities.
    case chainItself
  }

  /// The certificates, the server's own first.
  let chain: [Certificate]
  let file: String
  let now: Int64
  var checks: [CertificateCheck] = []

  /// - Parameters:
  ///   - chain: PEM, the server's own certificate first.
  ///   - key: its private key; nil when only others have it.
  ///   - host: the name or address that devices use; nil leaves it out.
  ///   - now: seconds since 1970 UTC.
  /// - Throws: when there is no certificate at all, or the key or the authorities cannot be read.
  package static func examine(
    chain text: PEMText, key: PEMText? = nil, host: String? = nil, trust: Trust, now: Int64
  ) throws(TLSFailure) -> [CertificateCheck] {
    let chain = try Certificate.parseAll(text)
    var examination = CertificateExamination(chain: chain, file: text.file, now: now)
    guard let leaf = chain.first else { throw .notPEM(file: text.file, expected: "a certificate") }
    let built = try examination.checkChain(leaf, trust)
    if let key { try examination.checkKeyMatches(leaf, key) }
    try examination.checkNames(leaf, host)
    examination.checkKeys(built)
    examination.checkSignatures(built)
    examination.checkLifetime(leaf)
    examination.checkUse(leaf)
    examination.checkDates(built)
    return examination.checks
  }

  mutating func add(_ name: String, ok sentence: String) {
    checks.append(CertificateCheck(name: "certificate.\(name)", verdict: .ok, sentence: sentence, fix: nil))
  }

  mutating func add(_ name: String, fault sentence: String, fix: String, isWarning: Bool = false) {
    checks.append(
      CertificateCheck(
        name: "certificate.\(name)", verdict: isWarning ? .warning : .fault, sentence: sentence, fix: fix))
  }

  /// The chain up to the authority, as far as it could be built.
  private mutating func checkChain(_ leaf: Certificate, _ trust: Trust) throws(TLSFailure) -> [Certificate] {
    guard let store = X509_STORE_new() else { throw .fromQueue(during: "checking a chain") }
    defer { X509_STORE_free(store) }
    switch trust {
    case .only(let text):
      for authority in try Certificate.parseAll(text) { X509_STORE_add_cert(store, authority.pointer) }
    case .system: X509_STORE_set_default_paths(store)
    case .chainItself:
      if let last = chain.last, last.isSelfSigned {
        X509_STORE_add_cert(store, last.pointer)
      } else {
        X509_STORE_set_default_paths(store)
      }
    }
    var others: [OpaquePointer?] = chain.dropFirst().map(\.pointer)
    var pointers = [OpaquePointer?](repeating: nil, count: Int(PACKHOUSE_CHAIN_LIMIT))
    var length = 0
    let result = packhouse_verify_chain(leaf.pointer, &others, others.count, store, &pointers, &length)
    _ = TLSFailure.drainQueue()
    let built = pointers.prefix(length).compactMap { $0.map { Certificate(owning: $0) } }
    if leaf.facts?.isAuthority == true, !leaf.isSelfSigned || chain.count > 1 {
      add(
        "chain", fault: "The first certificate in \(file) is an authority's and not the server's.",
        fix: "Put the server's own certificate first, then the authorities that lead to the root.")
      return built
    }
    switch result {
    case X509_V_OK:
      let root = built.last?.facts?.subject ?? "an authority"
      add("chain", ok: "The chain leads to \(root).")
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
      add(
        "chain",
        fault: "The chain ends at \(built.last?.facts?.issuer ?? "an authority"), which is not there and not trusted.",
        fix: "Append the certificates of the authorities in between to the server's file, "
          + "or pass --ca with the root that devices trust by a profile.")
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      add(
        "chain", fault: "The certificate has signed itself, and devices do not trust it.",
        fix: "Make one that an authority has signed: packhouse cert dev-ca, then packhouse cert leaf.")
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      add(
        "chain", fault: "The chain leads to \(built.last?.facts?.subject ?? "a root"), which is not trusted here.",
        fix: "Pass --ca with that root if devices trust it by a profile.")
    default:
      let reason = String(cString: X509_verify_cert_error_string(Int(result)))
      add("chain", fault: "The chain is not good: \(reason).", fix: "Get a new certificate from its authority.")
    }
    return built.isEmpty ? [leaf] : built
  }

  private mutating func checkKeyMatches(_ leaf: Certificate, _ text: PEMText) throws(TLSFailure) {
    let key = try PrivateKey.parse(text)
    if X509_check_private_key(leaf.pointer, key.pointer) == 1 {
      add("key-file", ok: "The private key in \(text.file) belongs to it.")
    } else {
      _ = TLSFailure.drainQueue()
      add(
        "key-file", fault: "The private key in \(text.file) does not belong to the certificate in \(file).",
        fix: "Use the key that the certificate was made for.")
    }
  }

  private mutating func checkNames(_ leaf: Certificate, _ host: String?) throws(TLSFailure) {
    let names = leaf.alternativeNames
    guard !names.isEmpty else {
      add(
        "name", fault: "The certificate has no DNS name or IP address as subject alternative name.",
        fix: "Get one with subject alternative names; devices ignore the common name.")
      return
    }
    guard let host else { return add("name", ok: "The certificate is for \(names.joined(separator: ", ")).") }
    if leaf.matches(try SubjectName(host)) {
      add("name", ok: "The certificate is for \(host).")
    } else {
      add(
        "name", fault: "The certificate is for \(names.joined(separator: ", ")), and not for \(host).",
        fix: "Use one of these names in the URLs, or get a certificate for \(host).")
    }
  }
}
