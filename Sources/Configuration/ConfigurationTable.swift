extension ConfigurationKey {
  private static let second = 1000
  private static let hour = 3_600_000
  private static let year = 366 * 24 * hour
  private static let megabyte = 1_000_000

  /// Every key, in the order of the reference.
  static let all: [ConfigurationKey] = [
    .init(
      "stateDirectory", .path, default: nil, "Folder of the catalog, the packs and the uploads; made if missing."),
    .init(
      "publicBaseURL", .httpsURL, default: nil,
      "Address that devices reach the daemon under. Every published link begins with it."),
    .init("listeners.client.addresses", .addresses, default: #"["*:443"]"#, "Where devices connect."),
    .init(
      "listeners.client.certificate", .path, default: nil, "PEM file with the certificate and its chain, leaf first."),
    .init("listeners.client.privateKey", .path, default: nil, "PEM file with the certificate's private key."),
    .init(
      "listeners.client.certificates", .certificates, default: "[]",
      "More certificates beside the one above, which stays the default. A client gets the first whose alternative "
        + "names include the name that it asks for; a wildcard stands for one label."),
    .init(
      "listeners.client.trustedProxies", .networks, default: "[]",
      "Proxies whose `X-Forwarded-For` is believed, for the access log and `limits.connectionsPerAddress` only."),
    .init(
      "listeners.client.proxyProtocol", .flag, default: "false",
      "Whether connections from `trustedProxies` begin with a PROXY header (version 2) in front of TLS."),
    .init(
      "listeners.admin.addresses", .addresses, default: #"["127.0.0.1:8444"]"#,
      "Where the admin API listens; keep it away from the internet."),
    .init(
      "listeners.admin.certificate", .path, default: "the client listener's",
      "PEM file for the admin listener; goes together with its private key."),
    .init(
      "listeners.admin.privateKey", .path, default: "the client listener's", "PEM file with the admin listener's key."),
    .init(
      "listeners.admin.clientAuthority", .path, default: "the listener asks for none",
      "PEM file with authorities. Clients without a certificate of one of them are refused in the TLS handshake."),
    .init("loops", .integer(0...256), default: "0", "Threads that serve connections; 0 is one for each core."),
    .init("workers", .integer(1...256), default: "4", "Threads for disk, catalog and archive work."),
    .init("limits.requestHead", .bytes(1024...1 << 20), default: "\"16 KiB\"", "Longest request head; 431 beyond it."),
    .init(
      "limits.headerTime", .time(second...10 * 60 * second), default: "\"10 s\"",
      "Time for a TLS handshake and for a complete request head."),
    .init(
      "limits.idleTime", .time(second...hour), default: "\"60 s\"",
      "How long a connection may wait for its next request."),
    .init("limits.uploadStall", .time(second...hour), default: "\"60 s\"", "How long an upload may stand still."),
    .init(
      "limits.minimumRate.bytesPerSecond", .bytes(0...1 << 30), default: "\"512 B\"",
      "Slowest average rate of a transfer over the window; 0 switches the check off."),
    .init(
      "limits.minimumRate.window", .time(second...hour), default: "\"60 s\"", "Time over which the rate is averaged."),
    .init(
      "limits.ranges", .integer(1...1024), default: "16",
      "Most ranges of one request that are answered in parts; with more the answer is the whole pack."),
    .init(
      "limits.connections", .integer(1...1_000_000), default: "10000",
      "Most client connections at once. Idle ones give way to new ones; then new ones are closed."),
    .init(
      "limits.connectionsPerAddress", .integer(1...1_000_000), default: "256",
      "Most client connections at once from one address, or from one /64 network of IPv6; whole households and offices "
        + "share one."),
    .init(
      "limits.adminConnections", .integer(1...1_000_000), default: "512",
      "Most connections of the admin listener at once, whatever goes on at the client listener."),
    .init(
      "limits.adminRequests", .integer(1...100_000), default: "256",
      "Most requests of the admin API in hand at once, from the head to the end of the answer; 503 beyond it."),
    .init(
      "limits.workerQueue", .integer(1...1_000_000), default: "4096",
      "Most jobs that wait for a worker; requests that need one get 503 beyond it."),
    .init("limits.adminBody", .bytes(1024...64 << 20), default: "\"1 MiB\"", "Longest JSON body of the admin API."),
    .init(
      "limits.packSize", .bytes(1...1_000_000 * megabyte), default: "\"8 GB\"",
      "Largest archive that may be uploaded."),
    .init(
      "limits.partSize", .bytes(64 << 10...1 << 30), default: "\"16 MiB\"",
      "Size of an upload's parts; the last may be less."),
    .init(
      "limits.blockSize", .bytes(64 << 10...1 << 30), default: "\"64 MiB\"",
      "Largest compressed block of an archive; a worker needs about twice as much memory."),
    .init("limits.entries", .integer(1...10_000_000), default: "100000", "Most entries of an archive."),
    .init(
      "limits.decodedBytes", .bytes(1...100 * 1000 * 1000 * megabyte), default: "\"32 GB\"",
      "Most bytes that an archive may unpack to."),
    .init(
      "limits.processingTime", .time(second...24 * hour), default: "\"30 min\"",
      "Longest time for checking one archive."),
    .init(
      "limits.freeSpace", .bytes(0...100 * 1000 * 1000 * megabyte), default: "\"256 MB\"",
      "Space on the file system of `stateDirectory` that uploads leave alone; 507 below it."),
    .init(
      "limits.logBuffer", .bytes(64 << 10...1 << 30), default: "\"4 MiB\"",
      "Lines of the access log that may wait for the disk; more are dropped and counted."),
    .init(
      "quota.preset", .choice(["apple", "odr", "odr-ios18", "odr-tvos", "custom"]), default: "\"apple\"",
      "Limits of each app that has no quota of its own: App Store Connect's, or those of On-Demand Resources."),
    .init(
      "quota.bytes", .bytes(0...1_000_000_000 * megabyte), default: "the preset's",
      "Most bytes of an app: the sum of each pack's largest version that is not superseded on all tracks."),
    .init("quota.packs", .integer(0...1_000_000), default: "the preset's", "Most packs of an app."),
    .init(
      "quota.enforced", .flag, default: "true",
      "Whether what does not fit is refused; otherwise it is only told in the audit log and the metrics."),
    .init(
      "quota.serverBytes", .bytes(0...1_000_000_000 * megabyte), default: "the disk's room",
      "Most bytes of all apps together."),
    .init(
      "retention.supersededVersions", .integer(1...1_000_000), default: "5",
      "How many of a pack's newest versions `packhouse gc` keeps that nothing needs."),
    .init(
      "retention.supersededTime", .time(0...10 * 365 * 24 * hour), default: "\"90 d\"",
      "How long it keeps a version after its last change of state, when there are more of them."),
    .init(
      "retention.grace", .time(0...10 * 365 * 24 * hour), default: "\"7 d\"",
      "How long the URL of a version answers on after it was found to be past both."),
    .init(
      "retention.archiveTime", .time(0...10 * 365 * 24 * hour), default: "\"30 d\"",
      "How long it keeps the versions of an archived pack; as long can archiving be undone."),
    .init(
      "developmentOverride.app", .text, default: nil,
      "Bundle ID of the app whose manifest GET /manifest serves to devices with a development override."),
    .init(
      "developmentOverride.track", .choice(["production", "beta", "internal"]), default: "\"internal\"",
      "Track of that manifest."),
    .init(
      "authentication.audience", .text, default: "\"appstoreconnect-v1\"",
      "What `aud` of tokens must be that API keys sign. The default is App Store Connect's."),
    .init(
      "authentication.rotationOverlap", .time(0...30 * 24 * hour), default: "\"24 h\"",
      "How long a token's former secret stays good after a rotation that does not say."),
    .init(
      "authentication.failures", .integer(1...100_000), default: "20",
      "Failed attempts of one address in a row that are answered at once; 429 beyond them."),
    .init(
      "authentication.failurePause", .time(second...hour), default: "\"5 s\"",
      "Time after which one more attempt of that address is answered."),
    .init(
      "webhooks.hosts", .hosts, default: "[]",
      "Hosts that webhooks may go to; a wildcard stands for any subdomain but not for the name itself. None by "
        + "default: no webhook can be made."),
    .init(
      "webhooks.privateNetworks", .networks, default: "[]",
      "Addresses that webhooks may connect to although they are not of the public internet."),
    .init(
      "webhooks.authority", .path, default: "the machine's own authorities",
      "PEM file with the authorities whose certificates webhooks believe."),
    .init(
      "webhooks.timeout", .time(second...60 * second), default: "\"10 s\"",
      "Time for one attempt, from the connection to the end of the answer."),
    .init(
      "webhooks.firstRetry", .time(second...hour), default: "\"10 s\"",
      "Time before the second attempt; each further one waits twice as long, an hour at most."),
    .init(
      "webhooks.retryFor", .time(second...30 * 24 * hour), default: "\"1 d\"",
      "Time of failing attempts after which a webhook is switched off."),
    .init("accessLog", .accessLog, default: "\"stderr\"", "Where a line for each request goes."),
    .init(
      "metrics.open", .flag, default: "false",
      "Whether `GET /metrics` on the admin listener needs no token; otherwise one with the role viewer."),
    .init(
      "deadlines.interval", .time(second...24 * hour), default: "\"1 min\"",
      "How often the daemon looks for versions, releases and reviews that sit in a state for too long."),
    .init(
      "deadlines.upload", .time(0...year), default: "\"7 d\"",
      "How long a version may wait for its upload; 0 here and below: nobody is told."),
    .init(
      "deadlines.processing", .time(0...year), default: "\"1 h\"",
      "How long something may take that the daemon does by itself."),
    .init(
      "deadlines.submission", .time(0...year), default: "\"90 d\"",
      "How long the newest version of a pack may wait to be submitted for a track."),
    .init("deadlines.draft", .time(0...year), default: "\"14 d\"", "How long a review submission may stay a draft."),
    .init(
      "deadlines.waitingForReview", .time(0...year), default: "\"3 d\"",
      "How long a submission may wait for a reviewer."),
    .init("deadlines.inReview", .time(0...year), default: "\"2 d\"", "How long a review may take."),
    .init(
      "deadlines.accepted", .time(0...year), default: "\"7 d\"",
      "How long an item that passed may wait for the rest of its submission."),
    .init(
      "deadlines.rejected", .time(0...year), default: "\"14 d\"", "How long a rejection may stay without an answer."),
    .init("deadlines.rollout", .time(0...year), default: "\"30 d\"", "How long a staged rollout may run."),
    .init("deadlines.pausedRollout", .time(0...year), default: "\"7 d\"", "How long it may be paused."),
    .init(
      "drainGrace", .time(0...hour), default: "\"30 s\"",
      "How long running transfers may go on after the daemon was told to stop."),
    .init(
      "log.level", .choice(["error", "warning", "info", "debug"]), default: "\"info\"",
      "Least important record that is logged."),
  ]
}
