import Synchronization
import Testing

@testable import EventLoop

@Suite struct WorkerPoolTests {
  @Test func everyJobRunsOnceBeforeThePoolHasStopped() throws {
    let pool = try WorkerPool(name: "test", threads: 3, capacity: 2000)
    let counts = Mutex([Int](repeating: 0, count: 1000))
    for index in 0..<1000 {
      #expect(pool.submit { counts.withLock { $0[index] += 1 } })
    }
    pool.stop()
    #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test func jobsRunInTheirOrderOnOneThread() throws {
    let pool = try WorkerPool(name: "test", threads: 1, capacity: 1000)
    let order = Mutex<[Int]>([])
    for index in 0..<500 { #expect(pool.submit { order.withLock { $0.append(index) } }) }
    pool.stop()
    #expect(order.withLock { $0 } == Array(0..<500))
  }

  @Test func aFullQueueRefuses() throws {
    let pool = try WorkerPool(name: "test", threads: 1, capacity: 2)
    let gate = Condition(false)
    let started = Condition(false)
    #expect(
      pool.submit {
        started.withLock { $0 = true }
        gate.wait { $0 ? .ready(()) : .wait }
      })
    started.wait { $0 ? .ready(()) : .wait }
    #expect(pool.submit {})
    #expect(pool.submit {})
    #expect(!pool.submit {})
    #expect(pool.waiting == 2)
    gate.withLock { $0 = true }
    pool.stop()
    #expect(!pool.submit {})
  }
}
