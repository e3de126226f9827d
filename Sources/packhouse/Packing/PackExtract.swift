import JSONText
import Packing

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
        try packing { () throws(PackingFailure) in try final.extract(file, into: output) }
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
