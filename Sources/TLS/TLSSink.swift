import CRecordSealing

/// A stretch of memory that collects the records of one or many connections until they are sent.
/// Owned and used by one thread.
package final class TLSSink {
  let sink: UnsafeMutablePointer<packhouse_tls_sink>

  /// Allocates `capacity` bytes, which never grow.
  package init(capacity: Int) {
    sink = .allocate(capacity: 1)
    sink.initialize(
      to: packhouse_tls_sink(
        bytes: .allocate(capacity: capacity), count: 0, capacity: capacity, ciphers: packhouse_ciphers_make()))
  }

  deinit {
    packhouse_ciphers_free(&sink.pointee.ciphers)
    sink.pointee.bytes.deallocate()
    sink.deallocate()
  }

  /// What was collected since the last `removeAll`.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: sink.pointee.bytes, count: sink.pointee.count)
  }

  package var count: Int { sink.pointee.count }

  /// Bytes of plain text that certainly fit: each record of up to 16 KiB adds less than 64 bytes, and
  /// alerts and tickets get a reserve.
  package var roomForPlaintext: Int {
    let free = sink.pointee.capacity &- sink.pointee.count &- 4096
    return free <= 0 ? 0 : free &- (free / 16384 &+ 1) &* 64
  }

  package func removeAll() { sink.pointee.count = 0 }
}
