import AppleArchive
import JSONText
import Packing

extension Verb {
  static let packList = Verb(
    words: ["pack", "list"], summary: "List the paths in an archive, one a line.", positionals: "FILE.aar",
    count: 1...1,
    options: [.flag("json", "Print paths, types and sizes as JSON; paths are then as they are.")],
    details:
      "Control characters are escaped, and a backslash is \\\\. The whole archive is read and must be well formed."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let file = try openArchive(path)
    let listing: EntryListing
    do throws(ArchiveFailure) { listing = try EntryListing(file) } catch {
      throw CommandFailure(PackingFailure.archive(file: path, error))
    }
    if arguments.has("json") { Output.write(listing.json) } else { Output.write(listing.text) }
  }
}
