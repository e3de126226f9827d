import AppleArchive
import JSONText
import Packing
import SystemIO

extension Verb {
  static let packInspect = Verb(
    words: ["pack", "inspect"], summary: "List what an archive holds and check that it is well formed.",
    positionals: "FILE.aar", count: 1...1,
    options: Verb.Option.limits + [
      .flag("json", "Print everything as JSON."), .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details: """
      What only a policy forbids (programs, links inside the pack, no manifest) is a warning here.
      - in the place of the archive is standard input.
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
      .flag("json", "Print paths, types and sizes as JSON; paths are then as they are."),
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
    words: ["pack", "verify"], summary: "Check that an archive may go out as a pack.", positionals: "FILE.aar",
    count: 1...1,
    options: Verb.Option.limits + [
      .strict, .profile, .flag("json", "Print the verdict as JSON."), .flag("quiet", "Print nothing but errors."),
    ],
    details: "These are the rules that the server has for uploads. Exit code 65 when one is broken."
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
          "\(path): asset pack \(verification.assetPackID?.text ?? "") is in order"
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
      .value("output", "FOLDER", "The folder to make (also -o); it must not be there yet, or be empty."),
      .flag("contents", "Only what lies below Contents/, without that folder: the files as apps see them."),
      .flag("links", "Make symbolic links that stay inside; without it they are refused."),
    ] + Verb.Option.limits + [
      .flag("json", "Print what was written as JSON."), .flag("quiet", "Print nothing but errors."),
    ],
    details: "Everything is written, or nothing is. Owners and special permissions in the archive do not count."
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
    words: ["pack", "diff"], summary: "Show what changes between two archives of a pack, and what an update costs.",
    positionals: "OLD.aar NEW.aar", count: 2...2,
    options: Verb.Option.limits + [
      .flag("json", "Print the differences as JSON."), .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details: """
      Exit code 0 when content and manifest are equal, 1 when they differ, 65 when an archive cannot be read.
      Compression, times and the packer's version do not count. Devices download the whole new archive at an update.
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
    value("max-bytes", "BYTES", "The most that an archive may decode to (8589934592)."),
    value("max-entries", "COUNT", "The most files and folders in an archive (1000000)."),
    value("max-depth", "COUNT", "The most folders one in another, the file counted too (64)."),
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
      throw CommandFailure("--\(name) \(text) is no count; expected a number above 0.", .usage)
    }
    return count
  }
}
