/// Which release of Packhouse this is.
package enum ProgramVersion {
  package static let text = "0.1.0"
}
