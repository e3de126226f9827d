import Configuration

extension SettingsTable {
  /// Threads, and how much one request, connection or archive may use.
  @Rows static var limits: [Key] {
    Key(
      "loops", \.loops, .integer(0...256), default: 0, "Threads that serve connections; 0 means one per core.")
    Key("workers", \.workers, .integer(1...256), default: 4, "Threads for disk, catalog and archive work.")
    Key(
      "limits.requestHead", \.limits.request.headBytes, .bytes(from: .kibibytes(1), to: .mebibytes(1)),
      default: "16 KiB", "Maximum size of a request head; larger ones are answered with 431.")
    Key(
      "limits.headerTime", \.limits.headerTime, .time(from: .seconds(1), to: .minutes(10)), default: "10 s",
      "Time for a TLS handshake and for a complete request head.")
    Key(
      "limits.idleTime", \.limits.idleTime, .time(from: .seconds(1), to: .hours(1)), default: "60 s",
      "How long a connection may wait for its next request.")
    Key(
      "limits.uploadStall", \.limits.uploadStall, .time(from: .seconds(1), to: .hours(1)), default: "60 s",
      "How long an upload may go without progress.")
    Key(
      "limits.minimumRate.bytesPerSecond", \.limits.minimumRate, .bytes(from: .bytes(0), to: .gibibytes(1)),
      default: "512 B", "Minimum average rate of a transfer over the window; 0 means no limit.")
    Key(
      "limits.minimumRate.window", \.limits.rateWindow, .time(from: .seconds(1), to: .hours(1)), default: "60 s",
      "Time over which the rate is averaged.")
    Key(
      "limits.ranges", \.limits.request.ranges, .integer(1...1024), default: 16,
      "Maximum number of ranges in one request; a request for more gets the whole pack.")
    Key(
      "limits.connections", \.limits.connections, .integer(1...1_000_000), default: 10_000,
      "Maximum number of client connections. A new one replaces an idle one, or is closed if none is idle."
    )
    Key(
      "limits.connectionsPerAddress", \.limits.connectionsPerAddress, .integer(1...1_000_000), default: 256,
      """
      Most client connections at once from one address, or from one /64 network of IPv6; whole households and offices \
      share one.
      """)
    Key(
      "limits.adminConnections", \.adminConnections, .integer(1...1_000_000), default: 512,
      "Maximum number of connections to the admin listener, counted apart from the client listener's.")
    Key(
      "limits.adminRequests", \.limits.requestsInHand, .integer(1...100_000), default: 256,
      "Maximum number of admin API requests in progress; more are answered with 503.")
    Key(
      "limits.workerQueue", \.workerQueue, .integer(1...1_000_000), default: 4096,
      "Maximum number of jobs waiting for a worker; requests beyond it are answered with 503.")
    Key(
      "limits.adminBody", \.adminBodyLimit, .bytes(from: .kibibytes(1), to: .mebibytes(64)), default: "1 MiB",
      "Maximum size of a JSON body sent to the admin API.")
    Key(
      "limits.packSize", \.packSizeLimit, .bytes(from: .bytes(1), to: .terabytes(1)), default: "8 GB",
      "Largest archive that may be uploaded.")
    Key(
      "limits.partSize", \.partSize, .bytes(from: .kibibytes(64), to: .gibibytes(1)), default: "16 MiB",
      "Size of an upload's parts; the last one may be smaller.")
    Key(
      "limits.blockSize", \.processing.blockSize, .bytes(from: .kibibytes(64), to: .gibibytes(1)), default: "64 MiB",
      "Largest compressed block of an archive; a worker needs about twice as much memory.")
    Key(
      "limits.entries", \.processing.entries, .integer(1...10_000_000), default: 100_000,
      "Maximum number of entries in an archive.")
    Key(
      "limits.decodedBytes", \.processing.decodedBytes, .bytes(from: .bytes(1), to: .terabytes(100)),
      default: "32 GB", "Maximum size of an unpacked archive.")
    Key(
      "limits.processingTime", \.processing.time, .time(from: .seconds(1), to: .hours(24)), default: "30 min",
      "Maximum time for checking one archive.")
    Key(
      "limits.freeSpace", \.freeSpace, .bytes(from: .bytes(0), to: .terabytes(100)), default: "256 MB",
      "Space that uploads leave free on the file system of `stateDirectory`; below it they are answered with 507.")
    Key(
      "limits.logBuffer", \.logBuffer, .bytes(from: .kibibytes(64), to: .gibibytes(1)), default: "4 MiB",
      "Access log lines buffered for the disk, in bytes; lines beyond that are dropped and counted.")
  }
}
