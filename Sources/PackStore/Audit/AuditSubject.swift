import AssetPacks

/// What a line of the audit log is about: the sentence for people and the ids for programs, made in one place.
struct AuditSubject: Sendable, Hashable {
  /// A pack, or one of its versions.
  struct Pack: Sendable, Hashable {
    let id: String
    /// The version's number; nil when the line is about the pack.
    let number: Int?
  }

  /// The noun in the column `subject_kind`.
  let kind: String
  let text: String
  let packs: [Pack]
  let track: Track?
  let submissionID: String?

  private init(
    _ kind: String, _ text: String, packs: [Pack] = [], track: Track? = nil, submission: String? = nil
  ) {
    self.kind = kind
    self.text = text
    self.packs = packs
    self.track = track
    self.submissionID = submission
  }

  /// Something that is no pack: an app, a token, a webhook, a blob.
  static func text(_ text: String) -> Self { Self("text", text) }

  static func pack(_ id: String, identifier: String) -> Self {
    Self("pack", identifier, packs: [Pack(id: id, number: nil)])
  }

  /// A change of what a track has of a pack: the number is the version that it has afterwards.
  static func pack(_ id: String, identifier: String, on track: Track, number: Int) -> Self {
    Self("pack", "\(identifier) on \(track.rawValue)", packs: [Pack(id: id, number: number)], track: track)
  }

  /// - Parameter text: the manifest, after its track.
  static func manifest(_ text: String, track: Track) -> Self {
    Self("manifest", "\(track.rawValue) \(text)", track: track)
  }

  /// What has been in its state for too long, of any kind.
  static func overdue(_ text: String, pack: Pack?, track: Track?, submission: String?) -> Self {
    Self("overdue", text, packs: pack.map { [$0] } ?? [], track: track, submission: submission)
  }

  static func version(pack id: String, identifier: String, number: Int) -> Self {
    Self("version", "\(identifier) \(number)", packs: [Pack(id: id, number: number)])
  }

  static func release(pack id: String, identifier: String, number: Int, track: Track) -> Self {
    Self("release", "\(identifier) \(number) on \(track.rawValue)", packs: [Pack(id: id, number: number)], track: track)
  }

  /// - Parameter text: the rollout's own sentence, which names all of its packs.
  static func rollout(_ text: String, packs: [Pack], track: Track) -> Self {
    Self("rollout", text, packs: packs, track: track)
  }

  static func lane(_ name: String, track: Track) -> Self {
    Self("lane", "\(name) on \(track.rawValue)", track: track)
  }

  /// - Parameter text: the submission's own sentence, or that of one of its items.
  static func submission(_ id: String, text: String, packs: [Pack], track: Track) -> Self {
    Self("submission", text, packs: packs, track: track, submission: id)
  }
}

extension RolloutRecord {
  var auditSubject: AuditSubject {
    .rollout(subject, packs: packs.map { AuditSubject.Pack(id: $0.packID, number: $0.number) }, track: track)
  }
}

extension VersionRecord {
  var auditSubject: AuditSubject { .version(pack: packID, identifier: assetPackIdentifier, number: number) }
}

extension ReviewItemRecord {
  var auditSubject: AuditSubject {
    .submission(
      submissionID, text: subject, packs: [AuditSubject.Pack(id: packID, number: number)], track: track)
  }
}

extension ReviewSubmissionRecord {
  var auditSubject: AuditSubject { .submission(id, text: subject, packs: [], track: track) }
}
