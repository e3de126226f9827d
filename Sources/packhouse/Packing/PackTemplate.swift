import JSONText
import Packing

extension Verb {
  static let packTemplate = Verb(
    words: ["pack", "template"], summary: "Write a packaging manifest with every key explained, to begin with.",
    options: [
      .value("output", "FILE", "The file to write (also -o); without it, to standard output."),
      .flag("force", "Replace the file when it is there already."),
      .flag("json", "Print where it went as JSON."), .flag("quiet", "Print nothing but errors."),
    ]
  ) { arguments throws(CommandFailure) in
    try Output.write(Array(ManifestTemplate.text.utf8), for: arguments)
    guard let output = arguments.value("output") else { return }
    if arguments.has("json") {
      Output.write(["output": .string(output)])
    } else if !arguments.has("quiet") {
      Output.write("\(output): edit it, then packhouse pack evaluate \(output) shows what it selects\n")
    }
  }
}
