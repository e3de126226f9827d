extension AssetPackManager {
  /// The job that downloads the pack: a new one, or the one that does already.
  func enqueue(
    _ pack: AssetPack, priority: Double, installLimit: Int64? = nil, isDetached: Bool = false
  ) -> DownloadJob {
    if let job = jobs[pack.id] {
      job.priority = max(job.priority, priority)
      job.isDetached = job.isDetached || isDetached
      schedule()
      return job
    }
    sequence += 1
    let job = DownloadJob(
      pack, sequence: sequence, priority: priority, installLimit: installLimit, meter: DownloadMeter(pack, hub))
    job.isDetached = isDetached
    jobs[pack.id] = job
    schedule()
    return job
  }

  /// Comes back at the job's end. When the task is cancelled and nobody else waits, the download is cancelled too.
  func wait(for job: DownloadJob) async throws(ManagedBackgroundAssetsError) {
    sequence += 1
    let number = sequence
    let id = job.pack.id
    guard jobs[id] === job else {
      if let failure = job.failure { throw failure }
      return
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: DownloadJob.Waiter) in
        job.waiters[number] = continuation
        if Task.isCancelled { leave(id, number) }
      }
    } onCancel: {
      Task { await self.leave(id, number) }
    }
    try result.get()
  }

  private func leave(_ id: String, _ number: Int) {
    guard let job = jobs[id], let waiter = job.waiters.removeValue(forKey: number) else { return }
    waiter.resume(returning: .failure(.cancelled))
    if job.waiters.isEmpty, !job.isDetached { cancelDownload(ofAssetPackWithID: id) }
  }

  /// Starts what may start: the highest priority first, the oldest among equals. Urgent ones do not wait for a place.
  private func schedule() {
    while true {
      let next = jobs.values.filter { $0.state == .waiting }.max { a, b in
        (a.priority, -a.sequence) < (b.priority, -b.sequence)
      }
      guard let next else { return }
      guard running < max(1, configuration.concurrentDownloads) || next.priority > 1 else { return }
      start(next)
    }
  }

  private func start(_ job: DownloadJob) {
    job.state = .running
    job.control = DownloadControl()
    running += 1
    hub.send(.began(job.pack))
    let id = job.pack.id
    let control = job.control
    let lowDisk = lowDiskSpaceHub
    let meter = job.meter
    let fetch = PackFetch(
      pack: job.pack, cache: cache, transport: transport, configuration: configuration, control: control,
      installLimit: job.installLimit, progress: { meter.count($0) },
      lowDiskSpace: { lowDisk.send(LowDiskSpace(assetPackID: id)) })
    Task {
      let result: Result<Void, ManagedBackgroundAssetsError>
      do throws(ManagedBackgroundAssetsError) {
        _ = try await BlockingThread.run("download") { () throws(ManagedBackgroundAssetsError) in try fetch.run() }
        result = .success(())
      } catch { result = .failure(error) }
      ended(id, control, result)
    }
  }

  private func ended(_ id: String, _ control: DownloadControl, _ result: Result<Void, ManagedBackgroundAssetsError>) {
    running -= 1
    defer { schedule() }
    // Another one may have taken its place: cancelled and asked for again, or resumed before this one had stopped.
    guard let job = jobs[id], job.control === control else { return }
    if case .failure(.cancelled) = result {
      switch job.state {
      case .pausing:
        job.state = .paused
        return hub.send(.paused(job.pack))
      case .waiting: return  // Resumed before it had stopped.
      default: break
      }
    }
    jobs[id] = nil
    switch result {
    case .success: hub.send(.finished(job.pack))
    case .failure(let error):
      job.failure = error
      hub.send(.failed(job.pack, error))
    }
    for waiter in job.waiters.values { waiter.resume(returning: result) }
  }

  // MARK: Control

  /// Stops the download and keeps what came. Does nothing when there is none.
  public func pauseDownload(ofAssetPackWithID id: String) {
    guard let job = jobs[id] else { return }
    switch job.state {
    case .running:
      job.state = .pausing
      job.control.stop()
    case .waiting:
      job.state = .paused
      hub.send(.paused(job.pack))
    case .pausing, .paused: break
    }
  }

  /// Goes on with a paused download.
  public func resumeDownload(ofAssetPackWithID id: String) {
    guard let job = jobs[id], job.state == .paused || job.state == .pausing else { return }
    job.state = .waiting
    schedule()
  }

  /// Ends the download with `.cancelled`; what came is kept for the next time.
  public func cancelDownload(ofAssetPackWithID id: String) {
    guard let job = jobs.removeValue(forKey: id) else { return }
    job.control.stop()
    job.failure = .cancelled
    hub.send(.failed(job.pack, .cancelled))
    for waiter in job.waiters.values { waiter.resume(returning: .failure(.cancelled)) }
    schedule()
  }

  func setPriority(_ priority: Double, ofDownload id: String) {
    jobs[id]?.priority = priority
    schedule()
  }

  func progress(ofDownload id: String) -> DownloadProgress? { jobs[id]?.meter.progress }
}
