import Glibc
import HTTPClient
import JSONText
import Packing
import SystemIO
import TLS
import Values

/// The result of `step`; its failure as one of the client's.
func onDisk<T>(_ step: @autoclosure () throws(SystemFailure) -> T) throws(ManagedBackgroundAssetsError) -> T {
  do { return try step() } catch { throw ManagedBackgroundAssetsError(error) }
}
