import Daemon
import Glibc
import JSONText
import SystemIO
import Values

/// The command line as a whole: finds the verb, runs it, reports.
enum Program {
  static let version = ProgramVersion.text
  /// Who made an archive, as its manifest says.
  static let toolsVersion = "Packhouse \(version)"

  static let verbs: [Verb] = [
    [.serve, .dev],
    [.push, .release, .status],
    [.rollback, .rolloutStart, .rolloutChange, .rolloutList, .laneSet, .laneList, .laneRemove, .explain],
    [.packTemplate, .packPackage, .packEvaluate, .packInspect, .packList, .packVerify, .packExtract, .packDiff],
    [.packConvert, .downloadManifestCreate, .downloadManifestUpdate, .downloadManifestCheck],
    [.reviewSubmit, .reviewApprove, .reviewReject, .reviewWithdraw, .reviewList, .reviewShow],
    [.quota, .collect, .archive, .appList, .appCreate, .appSet, .packs, .versions],
    [.doctor, .doctorPlist, .doctorPrintPlist, .certDevCA, .certLeaf, .certProfile, .certCheck],
    [.fetchSync, .fetchEnsure, .fetchStatus, .fetchRead, .fetchRemove, .fetchUpdates],
    [.tokenCreate, .tokenList, .tokenRevoke, .tokenRotate, .apiKeyAdd, .apiKeyList, .apiKeyRevoke, .audit],
    [.webhookAdd, .webhookList, .webhookRemove, .webhookEnable, .webhookDisable, .webhookPing],
    [.webhookDeliveries, .webhookRedeliver],
    [.backup, .restore, .verify],
  ].flatMap { $0 }

  /// Runs `words` (the program's name first) and returns the exit code.
  static func run(_ words: [String]) -> Int32 {
    // A closed pipe is an error that a write reports, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    Output.openStandardDescriptors()
    let code = dispatch(Array(words.dropFirst()))
    guard code == 0, let failure = Output.lost else { return code }
    Output.tell("packhouse: \(failure.sentence)\n")
    return ExitCode.inputOutput.rawValue
  }

  private static func dispatch(_ words: [String]) -> Int32 {
    switch words.first {
    case nil, "help", "--help", "-h":
      Output.write(overview)
      return 0
    case "--version", "version":
      Output.write("packhouse \(version)\n")
      return 0
    default: break
    }
    guard let (verb, rest) = find(words) else {
      if let group = group(words) {
        Output.write(group)
        return words.count == 1 ? ExitCode.usage.rawValue : 0
      }
      Output.tell("packhouse: \(unknown(words))\n")
      return ExitCode.usage.rawValue
    }
    if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      Output.write(verb.help)
      return 0
    }
    do throws(CommandFailure) {
      try verb.run(Arguments(rest, for: verb))
      return 0
    } catch {
      for line in error.sentence.split(separator: "\n") { Output.tell("packhouse: \(line)\n") }
      // The server names a member of its API; here it is an option.
      if error.code == "MANIFEST_WOULD_SHRINK", verb.options.contains(where: { $0.name == "confirm-removal" }) {
        Output.tell("packhouse: To confirm: --confirm-removal PACK\n")
      }
      return error.exitCode
    }
  }

  /// The verb that `words` begin with; `pack X` without a verb of its own is `pack package X`.
  private static func find(_ words: [String]) -> (verb: Verb, rest: [String])? {
    let candidates = verbs.filter { words.starts(with: $0.words) }
    if let verb = candidates.max(by: { $0.words.count < $1.words.count }) {
      return (verb, Array(words.dropFirst(verb.words.count)))
    }
    if words.first == "pack", let next = words.dropFirst().first,
      next.hasSuffix(".json") || (try? FileStatus.of(next))?.isRegularFile == true
        || next.hasPrefix("-") && words.contains(where: { $0.hasSuffix(".json") })
    {
      return (.packPackage, Array(words.dropFirst()))
    }
    return nil
  }

  /// The verbs that begin with the only word, for `pack` and `pack --help`.
  private static func group(_ words: [String]) -> String? {
    guard let first = words.first, words.dropFirst().allSatisfy({ ["--help", "-h", "help"].contains($0) }) else {
      return nil
    }
    let members = verbs.filter { $0.words.count > 1 && $0.words.first == first }
    return members.isEmpty ? nil : rows(members)
  }

  private static func unknown(_ words: [String]) -> String {
    let tried = words.prefix(2).joined(separator: " ")
    let names = verbs.map(\.name)
    let near = nearest(to: tried, in: names) ?? words.first.flatMap { nearest(to: $0, in: names) }
    return "There is no verb \(quoted(tried))"
      + (near.map { "; did you mean packhouse \($0)?" } ?? "; see packhouse --help.")
  }

  private static func rows(_ verbs: [Verb]) -> String {
    let width = (verbs.map(\.name.count).max() ?? 0) + 2
    return verbs.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))\($0.summary)\n" }.joined()
  }

  private static var overview: String {
    """
    Packhouse: hosting for asset packs (Background Assets).

    Usage: packhouse VERB [arguments]

    \(rows(verbs))
    Run packhouse VERB --help for the options of a verb.

    """
  }
}
