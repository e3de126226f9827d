import Observability

/// A service as the first thread sees it.
package struct ServiceHandle {
  /// For `systemctl status`; asked every few seconds.
  let status: () -> String
  let log: Log
  /// Seconds that transfers get at the end.
  let drainGrace: Int64
  let isAlive: () -> Bool
  /// What SIGHUP does.
  let reload: () -> Void
  /// What is to be done every few seconds.
  let look: () -> Void
  let stop: () -> Void
}
