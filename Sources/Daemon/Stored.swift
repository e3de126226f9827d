import PackStore

/// The value that the store gives, with its failures as those of the daemon.
package func stored<Value>(_ value: @autoclosure () throws(StoreFailure) -> Value) throws(DaemonFailure) -> Value {
  do throws(StoreFailure) { return try value() } catch { throw DaemonFailure(error) }
}
