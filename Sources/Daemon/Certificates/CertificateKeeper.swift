import HTTPServer
import Observability
import Synchronization
import SystemIO
import TLS

/// Looks after the listeners' certificates while the daemon runs: brings changed files into service, lets ticket keys
/// rotate, and warns before a certificate expires.
final class CertificateKeeper: Sendable {
  private struct Listener {
    var files: ListenerFiles
    let tickets: TicketKeys
    /// The files that are in service, or that were refused.
    var handled: [FileStatus?] = []
    /// The files at the last look.
    var seen: [FileStatus?] = []
    var certificates: [ServiceReadings.Certificate] = []
    /// The files that are in service.
    var served: [FileStatus?] = []

    /// What is wrong with the dates of what is served.
    func problem(at now: Int64) -> String? { certificates.lazy.compactMap { $0.problem(at: now) }.first }
  }

  private struct State {
    var listeners: [Listener]
    var warnings = ExpiryWarnings()
    /// Monotonic seconds of the last new ticket key.
    var rotated: Int64
    /// By file: the monotonic second in which its dates were complained of last.
    var complained: [String: Int64] = [:]
  }

  /// Seconds between two complaints about a certificate that is not valid.
  private static let complaintPause: Int64 = 3600

  private let log: Log
  private let loopCount: Int
  /// Who makes the TLS 1.3 records of all contexts, those of later certificates too.
  let sealing: RecordSealingDecision
  private let state: Mutex<State>
  /// What the listeners begin with, in order.
  let contexts: [ServerTLSContext]

  /// Loads every listener's files. Throws a sentence about what is missing or does not fit; one that has expired is
  /// served and complained of. What `sealing` warns of is logged.
  init(
    _ listeners: [ListenerFiles], loopCount: Int, sealing: RecordSealingDecision, log: Log
  ) throws(DaemonFailure) {
    if let warning = sealing.warning { log.warning(warning) }
    var kept: [Listener] = []
    var contexts: [ServerTLSContext] = []
    for files in listeners {
      var listener = Listener(files: files, tickets: try Self.makeTickets())
      let stamps = files.stamps
      let content = try files.load(
        now: WallClock.system.now(), tickets: listener.tickets, loopCount: loopCount,
        sealsRecords: sealing.sealsRecords)
      listener.handled = stamps
      listener.served = stamps
      listener.certificates = content.certificates
      contexts.append(content.context)
      kept.append(listener)
    }
    self.log = log
    self.loopCount = loopCount
    self.sealing = sealing
    self.contexts = contexts
    state = Mutex(State(listeners: kept, rotated: Self.monotonicSeconds))
    state.withLock { complain(&$0) }
  }

  /// What is wrong with the dates of the certificates in service, for `systemctl status`; nil when nothing is.
  var problem: String? {
    let now = WallClock.system.now()
    return state.withLock { $0.listeners.lazy.compactMap { $0.problem(at: now) }.first }
  }

  /// The certificates in service.
  var certificates: [ServiceReadings.Certificate] { state.withLock { $0.listeners.flatMap(\.certificates) } }

  /// Brings the present content of `files` into service, in the order of the listeners. What cannot be used is
  /// logged, and the old certificates stay.
  func reload(_ files: [ListenerFiles], server: HTTPServer) {
    state.withLock { state in
      for (index, files) in files.enumerated() where index < state.listeners.count {
        load(files, index, server, &state)
      }
    }
  }

  /// What is to be done every few seconds.
  func look(server: HTTPServer) {
    state.withLock { state in
      for index in state.listeners.indices {
        let files = state.listeners[index].files
        let stamps = files.stamps
        defer { state.listeners[index].seen = stamps }
        // A change is heeded when nothing has moved since the last look: both files of a pair are there then.
        guard stamps == state.listeners[index].seen else { continue }
        if stamps != state.listeners[index].handled {
          load(files, index, server, &state)
        } else if stamps != state.listeners[index].served,
          state.listeners[index].problem(at: WallClock.system.now()) != nil
        {
          // What was refused may be better by now than what is served.
          load(files, index, server, &state, isQuiet: true)
        }
      }
      rotate(&state)
      warn(&state)
    }
  }

  private func load(
    _ files: ListenerFiles, _ index: Int, _ server: HTTPServer, _ state: inout State, isQuiet: Bool = false
  ) {
    let stamps = files.stamps
    let old = state.listeners[index]
    state.listeners[index].handled = stamps
    do throws(DaemonFailure) {
      let now = WallClock.system.now()
      let content = try files.load(
        now: now, tickets: old.tickets, loopCount: loopCount, sealsRecords: sealing.sealsRecords)
      if let problem = content.problem(at: now), old.problem(at: now) == nil {
        throw DaemonFailure(problem, exitCode: DaemonFailure.ExitCode.configuration)
      }
      server.replaceTLS(ofListener: index, with: content.context)
      // Only files that can be used are watched from now on.
      state.listeners[index].files = files
      state.listeners[index].certificates = content.certificates
      state.listeners[index].served = stamps
      if old.served != stamps { log.notice("The \(files.name) listener has new certificates.") }
    } catch {
      if !isQuiet { log.error("The old certificate stays in use. \(error.sentence)") }
    }
  }

  private func rotate(_ state: inout State) {
    let now = Self.monotonicSeconds
    guard now - state.rotated >= TicketKeys.lifetime else { return }
    state.rotated = now
    for listener in state.listeners {
      do throws(SystemFailure) {
        try listener.tickets.rotate()
      } catch {
        log.error("The old key for session tickets stays in use: \(error).")
      }
    }
  }

  private func warn(_ state: inout State) {
    let now = WallClock.system.now()
    for certificate in state.listeners.flatMap(\.certificates) where certificate.problem(at: now) == nil {
      let name = "\(certificate.listener) \(certificate.file)"
      guard let days = state.warnings.due(file: name, notAfter: certificate.notAfter, now: now) else { continue }
      let end = CertificateTime.text(certificate.notAfter)
      let text = days <= 1 ? "within a day" : "within \(days) days"
      log.warning("The certificate in \(certificate.file) expires at \(end), \(text). Renew it.")
    }
    complain(&state)
  }

  /// Says loudly, and again every hour, which certificates are not valid now.
  private func complain(_ state: inout State) {
    let now = WallClock.system.now()
    for certificate in state.listeners.flatMap(\.certificates) {
      let name = "\(certificate.listener) \(certificate.file)"
      guard let problem = certificate.problem(at: now) else {
        state.complained[name] = nil
        continue
      }
      let last = state.complained[name]
      guard last.map({ Self.monotonicSeconds - $0 >= Self.complaintPause }) ?? true else { continue }
      state.complained[name] = Self.monotonicSeconds
      log.error("NO DEVICE CONNECTS to the \(certificate.listener) listener. \(problem) It is still served.")
    }
  }

  private static var monotonicSeconds: Int64 { MonotonicClock.system.now() / 1_000_000_000 }

  private static func makeTickets() throws(DaemonFailure) -> TicketKeys {
    do throws(SystemFailure) {
      return try TicketKeys()
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
  }
}

/// Decides when a certificate's end is worth a line in the log: once each at 30, 14, 7 and 1 day, and when it is there.
struct ExpiryWarnings {
  private static let days: [Int64] = [0, 1, 7, 14, 30]

  /// By file: the end that was warned of, and the stage.
  private var told: [String: (notAfter: Int64, stage: Int64)] = [:]

  /// The whole days left, rounded up, when a warning is due now; nil when it is not.
  mutating func due(file: String, notAfter: Int64, now: Int64) -> Int64? {
    let left = notAfter - now
    guard let stage = Self.days.first(where: { left <= $0 * 86_400 }) else {
      told[file] = nil
      return nil
    }
    if let last = told[file], last.notAfter == notAfter, last.stage <= stage { return nil }
    told[file] = (notAfter, stage)
    return left <= 0 ? 0 : (left + 86_399) / 86_400
  }
}
