import AssetPacks
import JSONText
import Values

/// Makes download manifests for people who serve packs from a host of their own without the daemon. The document and
/// its links have the daemon's form: `<base>/apps/<bundle id>/packs/<version>/<pack id>`.
package struct StaticManifest: Sendable {
  /// What becomes of one pack.
  package struct Row: Sendable, Equatable {
    package enum Change: String, Sendable {
      case new, updated, unchanged, kept, removed
    }

    package let id: AssetPackID
    package let change: Change
    package let version: VersionNumber
    package let previous: VersionNumber?
    /// The archive; nil for packs that were kept or removed without one.
    package let path: String?
    package let url: String
  }

  package struct Result: Sendable {
    package let bytes: [UInt8]
    /// By id.
    package let rows: [Row]
    package let warnings: [String]
  }

  package let app: BundleID
  package let baseURL: PublicBaseURL
  /// Only packs for this platform go into the manifest; nil for all.
  package var platform: Platform?
  package var recordsHash = true
  /// The version of packs that the manifest did not list before.
  package var firstVersion = VersionNumber.first
  /// Packs of the old manifest that devices may delete.
  package var confirmedRemovals: Set<AssetPackID> = []
  /// Keeps packs of the old manifest for which no archive is given.
  package var keepsOthers = false

  package init(app: BundleID, baseURL: PublicBaseURL) {
    self.app = app
    self.baseURL = baseURL
  }

  /// The app and the base URL that the links of `manifest` begin with, when they all have this form.
  package init?(of manifest: ReceivedManifest) {
    var found: (app: BundleID, base: PublicBaseURL)?
    for entry in manifest.entries {
      let suffix = "/packs/\(entry.pack.version)/\(entry.pack.id)"
      guard entry.url.hasSuffix(suffix) else { return nil }
      let front = entry.url.dropLast(suffix.count)
      guard let slash = front.lastIndex(of: "/"), front[..<slash].hasSuffix("/apps"),
        let app = try? BundleID(String(front[front.index(after: slash)...])),
        let base = try? PublicBaseURL(String(front[..<slash].dropLast("/apps".count)))
      else { return nil }
      guard found.map({ $0.app == app && $0.base == base }) ?? true else { return nil }
      found = (app, base)
    }
    guard let found else { return nil }
    self.init(app: found.app, baseURL: found.base)
  }

  /// The first manifest.
  package func create(_ packs: [StaticPack]) throws(PackingFailure) -> Result {
    try make(packs, old: [])
  }

  /// The manifest that follows `old`: equal bytes keep their version, others get the next one, and no pack disappears
  /// unless that was confirmed.
  package func update(_ old: ReceivedManifest, _ packs: [StaticPack]) throws(PackingFailure) -> Result {
    try make(packs, old: old.entries)
  }

  private func make(_ packs: [StaticPack], old: [ReceivedManifest.Entry]) throws(PackingFailure) -> Result {
    var before: [AssetPackID: ReceivedManifest.Entry] = [:]
    for entry in old { before[entry.pack.id] = entry }
    var problems: [String] = []
    for id in confirmedRemovals.sorted() {
      if before[id] == nil { problems.append("The old manifest has no asset pack \(quoted(id.text)) to be removed.") }
      if let pack = packs.first(where: { $0.id == id && isMeant($0) }) {
        problems.append("The removal of \(quoted(id.text)) is confirmed, but \(pack.path) is that pack.")
      }
    }
    var entries: [DownloadManifest.Entry] = []
    var rows: [Row] = []
    var warnings: [String] = []
    for pack in packs {
      guard isMeant(pack) else {
        let sentence = "\(pack.path) is not for \(platform?.rawValue ?? ""), so the manifest cannot list it."
        let disappears = before[pack.id] != nil && !confirmedRemovals.contains(pack.id) && !keepsOthers
        if disappears { problems.append(sentence) } else { warnings.append(sentence) }
        continue
      }
      let previous = before.removeValue(forKey: pack.id)
      let (version, change) = try version(of: pack, previous, &warnings)
      entries.append(try pack.entry(version, recordsHash: recordsHash))
      let url = url(version, pack.id)
      rows.append(
        Row(
          id: pack.id, change: change, version: version, previous: previous?.pack.version, path: pack.path, url: url))
      warnings += pack.warnings.map { "\(pack.path): \($0.sentence)" }
      if change == .unchanged, let previous, previous.url != url {
        warnings.append("The link of \(quoted(pack.id.text)) changes from \(previous.url) to \(url).")
      }
    }
    for entry in before.values.sorted(by: { $0.pack.id < $1.pack.id }) {
      let version = entry.pack.version
      let isRemoved = confirmedRemovals.contains(entry.pack.id)
      if !isRemoved {
        guard keepsOthers else { continue }
        entries.append(entry.pack)
      }
      rows.append(
        Row(
          id: entry.pack.id, change: isRemoved ? .removed : .kept, version: version, previous: version, path: nil,
          url: isRemoved ? entry.url : url(version, entry.pack.id)))
    }
    let manifest = try checked(entries, old, &problems)
    guard problems.isEmpty else { throw .refused(problems) }
    return Result(
      bytes: manifest.render(baseURL: baseURL), rows: rows.sorted { $0.id < $1.id }, warnings: warnings)
  }

  private func isMeant(_ pack: StaticPack) -> Bool {
    platform.map { pack.manifest.effectivePlatforms.contains($0) } ?? true
  }

  private func version(
    of pack: StaticPack, _ previous: ReceivedManifest.Entry?, _ warnings: inout [String]
  ) throws(PackingFailure) -> (VersionNumber, Row.Change) {
    guard let previous else { return (firstVersion, .new) }
    let version = previous.pack.version
    switch pack.isSame(as: previous.pack) {
    case true: return (version, .unchanged)
    case nil:
      warnings.append(
        "\(pack.path) has the length of version \(version) of \(quoted(pack.id.text)), whose hash the old manifest "
          + "does not keep; it is taken for the same bytes.")
      return (version, .unchanged)
    case false:
      do throws(AssetPackFailure) { return (try VersionNumber(version.value + 1), .updated) } catch {
        throw .refused(["\(pack.path): \(error.sentence)."])
      }
    }
  }

  /// The manifest, and what it would do to devices that have the old one.
  private func checked(
    _ entries: [DownloadManifest.Entry], _ old: [ReceivedManifest.Entry], _ problems: inout [String]
  ) throws(PackingFailure) -> DownloadManifest {
    do throws(AssetPackFailure) {
      let manifest = try DownloadManifest(app: app, entries: entries)
      let change = ManifestChange(from: try DownloadManifest(app: app, entries: old.map(\.pack)), to: manifest)
      for fault in change.faults(confirmedRemovals: confirmedRemovals) {
        let advice = if case .disappears = fault { " (--confirm-removal), or pass --keep-others" } else { "" }
        problems.append("\(fault.sentence.prefix(1).uppercased())\(fault.sentence.dropFirst())\(advice).")
      }
      if entries.isEmpty { problems.append("The manifest would list no pack, and devices would delete all of theirs.") }
      return manifest
    } catch { throw .refused(["\(error.sentence)."]) }
  }

  private func url(_ version: VersionNumber, _ id: AssetPackID) -> String {
    "\(baseURL.text)/apps/\(app)/packs/\(version)/\(id)"
  }
}
