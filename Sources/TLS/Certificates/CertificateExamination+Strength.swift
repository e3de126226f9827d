import COpenSSL

// How strong a certificate is, what it may be used for, and when.
extension CertificateExamination {
  private static let maximumDays: Int64 = 825
  /// Days before the end in which a renewal is due.
  private static let warningDays: Int64 = 14

  /// Keys of the server's certificate and of the authorities: RSA of 2048 bits or an elliptic curve of 256 at least.
  mutating func checkKeys(_ built: [Certificate]) {
    for certificate in built {
      let (kind, bits) = certificate.keyStrength
      let isEnough = kind.hasPrefix("RSA") ? bits >= 2048 : kind == "EC" && bits >= 256
      guard isEnough else {
        add(
          "key", fault: "The key of \(name(certificate)) is \(kind) with \(bits) bits.",
          fix: "Get one with a key of RSA 2048 bits, or of the curve P-256, or larger.")
        return
      }
    }
    if let (kind, bits) = built.first?.keyStrength { add("key", ok: "The key is \(kind) with \(bits) bits.") }
  }

  /// Signatures with SHA-256 at least; that of a root on itself does not matter.
  mutating func checkSignatures(_ built: [Certificate]) {
    for certificate in built where !certificate.isSelfSigned || built.count == 1 {
      let digest = certificate.signatureDigest
      guard ["SHA256", "SHA384", "SHA512"].contains(digest) else {
        add(
          "signature", fault: "The signature on \(name(certificate)) is made with \(digest).",
          fix: "Get one that is signed with SHA-256.")
        return
      }
    }
    if let digest = built.first?.signatureDigest { add("signature", ok: "The signature is made with \(digest).") }
  }

  mutating func checkLifetime(_ leaf: Certificate) {
    guard let facts = leaf.facts else {
      add("lifetime", fault: "The certificate's dates cannot be read.", fix: "Get a new certificate.")
      return
    }
    let seconds = facts.notAfter - facts.notBefore
    let days = (seconds + CertificateTime.day - 1) / CertificateTime.day
    if days > Self.maximumDays {
      add(
        "lifetime", fault: "The certificate is made for \(days) days, and devices take 825 at most.",
        fix: "Get one for 825 days or fewer: packhouse cert leaf --days 398.")
    } else {
      add("lifetime", ok: "The certificate is made for \(days) days.")
    }
  }

  mutating func checkUse(_ leaf: Certificate) {
    if leaf.isForServers {
      add("use", ok: "The extended key usage has serverAuth.")
    } else {
      add(
        "use", fault: "The extended key usage lacks serverAuth, so devices do not take it for a server's.",
        fix: "Get one with the extended key usage serverAuth.")
    }
  }

  mutating func checkDates(_ built: [Certificate]) {
    for certificate in built {
      guard let facts = certificate.facts else { continue }
      if now > facts.notAfter {
        add(
          "expiry", fault: "The certificate \(name(certificate)) expired at \(CertificateTime.text(facts.notAfter)).",
          fix: "Renew it; the server takes up the new file by itself.")
        return
      }
      if now < facts.notBefore {
        add(
          "expiry",
          fault: "The certificate \(name(certificate)) is not valid before \(CertificateTime.text(facts.notBefore)).",
          fix: "Check this machine's clock, or wait.")
        return
      }
    }
    guard let end = built.compactMap({ $0.facts?.notAfter }).min() else { return }
    let left = (end - now) / CertificateTime.day
    if left < Self.warningDays {
      add(
        "expiry", fault: "The chain runs out at \(CertificateTime.text(end)), in \(left) days.",
        fix: "Renew it now; the server takes up the new file by itself.", isWarning: true)
    } else {
      add("expiry", ok: "The chain is good until \(CertificateTime.text(end)).")
    }
  }

  private func name(_ certificate: Certificate) -> String { certificate.facts?.subject ?? "without readable dates" }
}
