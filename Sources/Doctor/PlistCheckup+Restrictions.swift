import AssetPacks
import PropertyLists
import Values

// `BAInitialDownloadRestrictions`: what may be downloaded before the app was opened, and from where.
extension PlistCheckup {
  private static let dictionaryKey = "BAInitialDownloadRestrictions"

  mutating func checkRestrictions() {
    let key = Self.dictionaryKey
    guard let restrictions = info[key] else {
      findings.append(
        .error(
          "plist.restrictions",
          "\(key) is missing; without it the system ends a self-hosted managed app at its first call.",
          fix: "Paste the block that packhouse doctor print-plist prints into the Info.plist."))
      return
    }
    guard restrictions.dictionary != nil else {
      findings.append(
        .error(
          "plist.restrictions", "\(key) is \(restrictions.kind), expected a dictionary.",
          fix: "Paste the block that packhouse doctor print-plist prints into the Info.plist."))
      return
    }
    findings.append(.ok("plist.restrictions", "\(key) is there."))
    checkAllowance(
      "plist.essential-allowance", "BAEssentialDownloadAllowance", restrictions, what: "essential packs",
      needed: facts.downloadSizes?.essential)
    checkAllowance(
      "plist.allowance", "BADownloadAllowance", restrictions, what: "packs that are not essential",
      needed: facts.downloadSizes?.others)
    checkAllowList(restrictions)
  }

  private mutating func checkAllowance(
    _ check: String, _ key: String, _ restrictions: PropertyList, what: String, needed: Int64?
  ) {
    let value = needed.map { "\($0)" } ?? "the sum of the download sizes of the \(what)"
    guard let found = restrictions[key] else {
      findings.append(
        .error(
          check,
          "\(Self.dictionaryKey) has no \(key); without it the system ends a self-hosted managed app at its first "
            + "call.",
          fix: "Set \(key) to \(value)\(needed == nil ? "; 0 when there are none" : "")."))
      return
    }
    guard let number = found.integer else {
      findings.append(
        .error(
          check, "\(key) is \(found.kind), expected an integer.",
          fix: "Change the type of \(key) to Number and its value to \(value)."))
      return
    }
    guard number >= 0 else {
      findings.append(.error(check, "\(key) is \(number), expected 0 or more.", fix: "Set \(key) to \(value)."))
      return
    }
    if let needed, number < needed {
      findings.append(
        .error(
          check,
          "\(key) is \(number), but the \(what) have \(needed) bytes compressed, so that devices refuse downloads "
            + "(errors 203 and 204).", fix: "Set \(key) to \(needed) or more."))
    } else {
      let enough = needed.map { ", enough for the \($0) bytes of the \(what)" } ?? ""
      findings.append(.ok(check, "\(key) is \(number)\(enough)."))
    }
  }

  private mutating func checkAllowList(_ restrictions: PropertyList) {
    let key = "BADownloadDomainAllowList"
    let wanted = facts.hosts.first.map { DeliveryFacts.bracketed($0.name) } ?? "packs.example.com"
    guard let value = restrictions[key] else {
      findings.append(
        .error(
          "plist.allow-list", "\(Self.dictionaryKey) has no \(key), so no host is allowed (error 202).",
          fix: "Add \(key), an array with \(wanted)."))
      return
    }
    guard let entries = value.array else {
      findings.append(
        .error(
          "plist.allow-list", "\(key) is \(value.kind), expected an array of strings.",
          fix: "Change the type of \(key) to Array, with \(wanted) as an element."))
      return
    }
    guard !entries.isEmpty else {
      findings.append(
        .error(
          "plist.allow-list", "\(key) is empty, so no host is allowed (error 202).", fix: "Add \(wanted) to \(key)."))
      return
    }
    if let stranger = entries.first(where: { $0.string == nil }) {
      findings.append(
        .error(
          "plist.allow-list", "\(key) holds \(stranger.kind), expected strings alone.",
          fix: "Write each host as a string, such as \(wanted)."))
      return
    }
    let texts = entries.compactMap(\.string)
    do throws(AssetPackFailure) {
      let list = try DomainAllowList(texts)
      let missing = facts.hosts.filter { !list.matches(host: DeliveryFacts.bracketed($0.name)) }
      for host in missing { findings.append(Self.missing(host, texts)) }
      noteForms(texts)
      if missing.isEmpty {
        let names = facts.hosts.map(\.name).joined(separator: ", ")
        findings.append(
          .ok("plist.allow-list", names.isEmpty ? "\(key) has \(texts.count) entries." : "\(key) allows \(names)."))
      }
    } catch {
      guard case .domainAllowList(let faults) = error else { return }
      for fault in faults {
        findings.append(
          .error(
            "plist.allow-list", "\(key): \(fault.sentence).", fix: "Write the host alone, such as \(wanted)."))
      }
    }
  }

  private static func missing(_ host: DeliveryFacts.Host, _ texts: [String]) -> Finding {
    let name = DeliveryFacts.bracketed(host.name)
    let apex =
      texts.contains { $0.lowercased() == "*.\(name)" } ? "; a wildcard does not stand for the name itself" : ""
    return .error(
      "plist.allow-list",
      "BADownloadDomainAllowList does not allow \(name), the host of \(host.what)\(apex), so that devices refuse it "
        + "(error 202).", fix: "Add \(name) to BADownloadDomainAllowList.")
  }

  /// Entries that mean the right host in a form of which nobody knows that devices take it.
  private mutating func noteForms(_ texts: [String]) {
    for text in texts {
      let host = HostName(authority: text.hasPrefix("*.") ? String(text.dropFirst(2)) : text)
      let clean: String
      let problem: String
      if case .dns(let name) = host {
        clean = text.hasPrefix("*.") ? "*.\(name)" : name
        problem = "is written with a port, a trailing dot or capital letters"
      } else {
        clean = ""
        problem = "is an IP address"
      }
      guard clean != text else { continue }
      findings.append(
        .warning(
          "plist.allow-list-form",
          "The entry \(text) of BADownloadDomainAllowList \(problem), of which it is not documented that devices take "
            + "it.",
          fix: clean.isEmpty ? "Use a DNS name for the server where you can." : "Write \(clean)."))
    }
  }
}
