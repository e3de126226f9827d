import AppleArchive
import JSONText
import Packing
import SystemIO

extension Verb {
  static let packInspect = Verb(
    words: ["pack", "inspect"], summary: "List the contents of an archive and check that it is well formed.",
    positionals: "FILE.aar", count: 1...1,
    options: Verb.Option.limits + [
      .flag("json", "Print everything as JSON."), .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details: """
      What a policy forbids (programs, links inside the pack, a missing manifest) is only a warning here.
      Use - to read the archive from standard input.
      """
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let limits = try arguments.limits()
    let report = try ArchiveReading.open(path, arguments) { file throws(CommandFailure) in
      do throws(ArchiveFailure) { return try PackReport(file, limits: limits) } catch {
        if arguments.has("json") {
          Output.write(["errors": [["code": .string(error.code), "description": .string(error.sentence)]]])
        }
        throw CommandFailure(PackingFailure.archive(file: path, error))
      }
    }
    if arguments.has("json") {
      Output.write(report.json)
    } else if !arguments.has("quiet") {
      Output.write(report.text)
    }
  }
}

extension Verb {
  static let packList = Verb(
    words: ["pack", "list"], summary: "List the paths in an archive, one a line.", positionals: "FILE.aar",
    count: 1...1,
    options: Verb.Option.limits + [
      .flag("json", "Print paths, types and sizes as JSON; paths are not escaped."),
      .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details:
      "Control characters are escaped, and a backslash is \\\\. The whole archive is read and must be well formed."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let limits = try arguments.limits()
    let listing = try ArchiveReading.open(path, arguments) { file throws(CommandFailure) in
      do throws(ArchiveFailure) { return try EntryListing(file, limits: limits) } catch {
        throw CommandFailure(PackingFailure.archive(file: path, error))
      }
    }
    if arguments.has("json") {
      Output.write(listing.json)
    } else if !arguments.has("quiet") {
      Output.write(listing.text)
    }
  }
}

extension Verb {
  static let packVerify = Verb(
    words: ["pack", "verify"], summary: "Check that an archive can be published as a pack.", positionals: "FILE.aar",
    count: 1...1,
    options: Verb.Option.limits + [
      .strict, .profile, .flag("json", "Print the verdict as JSON."), .flag("quiet", "Print nothing but errors."),
    ],
    details: "The server applies the same rules to uploads. Exits with 65 when a rule is broken."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let (profile, limits) = (try arguments.profile(), try arguments.limits())
    let verification = try ArchiveReading.open(path, arguments) { file throws(CommandFailure) in
      PackVerification(file, profile: profile, isStrict: arguments.has("strict"), limits: limits)
    }
    if arguments.has("json") {
      Output.write(verification.json)
    } else {
      for finding in verification.findings where finding.severity == .error || !arguments.has("quiet") {
        Output.tell("\(finding.severity.rawValue): \(path): \(finding.sentence)\n")
      }
      if verification.isAccepted, !arguments.has("quiet") {
        let count = verification.findings.count
        Output.write(
          "\(path): asset pack \(verification.assetPackID?.text ?? "") is valid"
            + (count == 0 ? "\n" : ", with \(count) warning\(count == 1 ? "" : "s")\n"))
      }
    }
    if !verification.isAccepted { throw CommandFailure("", .dataError) }
  }
}

extension Verb {
  static let packExtract = Verb(
    words: ["pack", "extract"], summary: "Write the files of an archive into a new folder.", positionals: "FILE.aar",
    count: 1...1,
    options: [
      .value("output", "FOLDER", "The folder to create (also -o); it must not exist, or be empty."),
      .flag("contents", "Only the files below Contents/, without that folder: as apps see them."),
      .flag("links", "Create symbolic links that stay inside the folder; without it, links are refused."),
    ] + Verb.Option.limits + [
      .flag("json", "Print what was written as JSON."), .flag("quiet", "Print nothing but errors."),
    ],
    details: "Either everything is written or nothing. Owners and special permissions in the archive are ignored."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let output = try arguments.required("output")
    var extraction = PackExtraction()
    extraction.contentsOnly = arguments.has("contents")
    extraction.allowsLinks = arguments.has("links")
    extraction.limits = try arguments.limits()
    extraction.limits.isExpired = { Interruption.isWaiting }
    let final = extraction
    let result = try ArchiveReading.open(path, arguments) { file throws(CommandFailure) in
      try Interruption.held { () throws(CommandFailure) in
        try CommandFailure.packing(try final.extract(file, into: output))
      }
    }
    if arguments.has("json") {
      Output.write([
        "output": .string(output), "files": .integer(result.files), "links": .integer(result.links),
        "contentSize": .integer(result.bytes),
      ])
    } else if !arguments.has("quiet") {
      Output.write("\(output): \(result.files) files, \(result.bytes) bytes\n")
    }
  }
}

extension Verb {
  static let packDiff = Verb(
    words: ["pack", "diff"], summary: "Show what changes between two archives of a pack, and the cost of the update.",
    positionals: "OLD.aar NEW.aar", count: 2...2,
    options: Verb.Option.limits + [
      .flag("json", "Print the differences as JSON."), .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details: """
      Exits with 0 when content and manifest are equal, 1 when they differ, 65 when an archive cannot be read.
      Compression, times and the packer's version are ignored. Devices download the whole new archive at an update.
      """
  ) { arguments throws(CommandFailure) in
    let limits = try arguments.limits()
    let comparison = try CommandFailure.packing(
      try PackComparison(arguments.positionals[0], arguments.positionals[1], limits: limits))
    if arguments.has("json") {
      Output.write(comparison.json)
    } else if !arguments.has("quiet") {
      Output.write(comparison.text)
    }
    if !comparison.isEqual { throw CommandFailure("", .difference) }
  }
}

/// What the verbs that read archives have in common.
enum ArchiveReading {
  /// Opens the archive at `path`, `-` for standard input, and shows on a terminal how far the reading has come.
  static func open<Result>(
    _ path: String, _ arguments: Arguments, _ body: (ArchiveFile) throws(CommandFailure) -> Result
  ) throws(CommandFailure) -> Result {
    let limits = try arguments.limits()
    let bar = ProgressBar("Reading", total: 10_000, isQuiet: arguments.has("quiet") || arguments.has("json"))
    defer { bar.end() }
    let file: ArchiveFile
    do throws(SystemFailure) {
      file = try ArchiveFile.open(named: path, limit: limits.decodedBytes) { done, total in
        bar.show(total > 0 ? Int64(Double(done) / Double(total) * 10_000) : 0)
      }
    } catch { throw CommandFailure(PackingFailure.system(error)) }
    return try body(file)
  }
}

extension Verb.Option {
  /// How much an archive may ask of its reader.
  static let limits = [
    value("max-bytes", "BYTES", "The largest size that an archive may decode to (8589934592)."),
    value("max-entries", "COUNT", "The most files and folders in an archive (1000000)."),
    value("max-depth", "COUNT", "The deepest nesting of folders, the file included (64)."),
  ]
}

extension Arguments {
  /// The limits for archives that come from anywhere.
  func limits() throws(CommandFailure) -> ArchiveLimits {
    var limits = ArchiveLimits()
    if let count = try count("max-bytes") { limits.decodedBytes = count }
    if let count = try count("max-entries") { limits.entries = Int(clamping: count) }
    if let count = try count("max-depth") { limits.pathDepth = Int(clamping: count) }
    return limits
  }

  private func count(_ name: String) throws(CommandFailure) -> Int64? {
    guard let text = value(name) else { return nil }
    guard let count = Int64(text), count > 0 else {
      throw CommandFailure("--\(name) must be a whole number above 0, not \(text).", .usage)
    }
    return count
  }
}
