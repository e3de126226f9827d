import PropertyLists

// `BAMaxInstallSize` and `BAEssentialMaxInstallSize`: unpacked bytes, where the allowances count compressed ones.
extension PlistCheckup {
  mutating func checkInstallSizes() {
    checkInstallSize(
      "plist.essential-install-size", "BAEssentialMaxInstallSize", what: "essential packs",
      download: facts.downloadSizes?.essential, install: facts.installSizes?.essential)
    checkInstallSize(
      "plist.install-size", "BAMaxInstallSize", what: "packs that are not essential",
      download: facts.downloadSizes?.others, install: facts.installSizes?.others)
  }

  private mutating func checkInstallSize(
    _ check: String, _ key: String, what: String, download: Int64?, install: Int64?
  ) {
    let value = install.map { "\($0)" } ?? "the sum of the unpacked sizes of the \(what) (packhouse pack inspect)"
    guard let found = info[key] else {
      findings.append(
        .warning(
          check, "\(key) is missing; the store and the system read from it how much space the unpacked \(what) need.",
          fix: "Set \(key) to \(value)."))
      return
    }
    guard let number = found.integer, number >= 0 else {
      findings.append(
        .error(
          check, "\(key) is \(found.integer.map { "\($0)" } ?? found.kind), expected an integer of 0 or more.",
          fix: "Change the type of \(key) to Number and its value to \(value)."))
      return
    }
    if let install, number < install {
      findings.append(
        .error(
          check, "\(key) is \(number), but the \(what) have \(install) bytes unpacked.",
          fix: "Set \(key) to \(install) or more."))
    } else if install == nil, let download, number < download {
      findings.append(
        .error(
          check,
          "\(key) is \(number), less than the \(download) compressed bytes of the \(what), and it counts them "
            + "unpacked.",
          fix: "Set \(key) to \(value)."))
    } else if install == nil, let download, download > 0, number == download {
      findings.append(
        .warning(
          check, "\(key) is \(number), exactly the compressed bytes of the \(what), and it counts them unpacked.",
          fix: "Set \(key) to \(value)."))
    } else {
      findings.append(.ok(check, "\(key) is \(number)."))
    }
  }
}
