/// How a program ends: the codes of sysexits(3), whose header the toolchain's Glibc module does not carry, and 1.
package enum ExitCode: Int32, CaseIterable, Sendable {
  /// Two things that were compared are not equal, as diff(1) says it.
  case difference = 1
  case usage = 64
  case dataError = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case system = 71
  case cannotCreate = 73
  case inputOutput = 74
  case temporaryFailure = 75
  case noPermission = 77
  case configuration = 78
}
