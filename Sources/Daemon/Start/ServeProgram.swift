import AssetPacks
import Configuration
import Delivery
import HTTPCore
import HTTPServer
import Observability
import SystemIO

/// `packhouse serve`: a service as its configuration file says.
package struct ServeProgram {
  private let path: String

  /// `path` is the configuration file's.
  package init(configuration path: String) { self.path = path }

  /// Serves until SIGTERM or SIGINT; SIGHUP reads the file again.
  package func run() throws(DaemonFailure) {
    let sockets = try InheritedSockets.take()
    let runner = try ServiceRunner()
    let settings = try Self.settings(path)
    let service: Service
    do throws(DaemonFailure) {
      service = try Service(settings, sockets: sockets)
    } catch {
      guard error.isAboutCatalog else { throw error }
      return runner.run(try EmergencyService(settings, reason: error, sockets: sockets).handle)
    }
    service.log.notice("Serving \(settings.publicBaseURL) from \(settings.stateDirectory)")
    let path = path
    runner.run(
      service.handle {
        do throws(DaemonFailure) {
          let fresh = try Self.settings(path)
          Self.apply(fresh, over: settings, to: service)
        } catch {
          service.log.error("The old configuration stays in use. \(error.sentence)")
        }
      })
  }

  /// Checks the file, and the certificates and keys that it names, without starting anything.
  package static func check(_ path: String) throws(DaemonFailure) {
    for files in try settings(path).listenerFiles {
      _ = try files.load(now: WallClock.system.now(), tickets: nil, loopCount: 1, sealsRecords: false)
    }
  }

  /// Reads and checks the file without starting anything.
  package static func settings(_ path: String) throws(DaemonFailure) -> ServiceSettings {
    let bytes: [UInt8]
    do throws(SystemFailure) {
      bytes = try readFile(path, limit: 1 << 20)
    } catch {
      throw DaemonFailure(
        "The configuration \(path) cannot be read: \(error.reason). Name it with --config FILE.",
        exitCode: DaemonFailure.ExitCode.configuration)
    }
    do throws(ConfigurationFailure) {
      return try ServiceSettings(configuration: bytes, file: path)
    } catch {
      throw DaemonFailure(error.sentence, exitCode: DaemonFailure.ExitCode.configuration)
    }
  }

  /// Takes up what a reload can, the rows of the table with `change: .reload`, and logs what waits for a restart.
  private static func apply(_ fresh: ServiceSettings, over old: ServiceSettings, to service: Service) {
    service.reloadCertificates(fresh)
    service.setDevelopmentOverride(fresh.development)
    service.reopenAccessLog()
    let waiting = SettingsTable.all.restartOnlyDifferences(old, fresh)
    service.log.notice(
      waiting.isEmpty
        ? "The configuration was read again."
        : "The configuration was read again; these keys need a restart: \(waiting.joined(separator: ", ")).")
  }
}
