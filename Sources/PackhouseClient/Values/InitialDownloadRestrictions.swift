import AssetPacks

/// What an app's `BAInitialDownloadRestrictions` say, with the same meaning. The sizes count at installation events
/// only; the hosts always. Nil: not restricted.
public struct InitialDownloadRestrictions: Sendable, Equatable {
  /// `BADownloadDomainAllowList`: hosts, `*.example.com` for those below. It counts for the manifest, for packs and for
  /// every redirect.
  public var domainAllowList: [String]?
  /// `BADownloadAllowance`: compressed bytes of all packs that are not essential.
  public var downloadAllowance: Int64?
  /// `BAEssentialDownloadAllowance`: compressed bytes of all essential packs.
  public var essentialDownloadAllowance: Int64?
  /// `BAMaxInstallSize`: bytes of all packs that are not essential, unpacked.
  public var maxInstallSize: Int64?
  /// `BAEssentialMaxInstallSize`: bytes of all essential packs, unpacked.
  public var essentialMaxInstallSize: Int64?

  /// No restrictions.
  public init() {}
}

/// The hosts that may be asked.
struct AllowedHosts: Sendable {
  private let list: DomainAllowList?

  /// - Throws: `.file` with every entry that is wrong.
  init(_ entries: [String]?) throws(ManagedBackgroundAssetsError) {
    guard let entries else {
      list = nil
      return
    }
    do throws(AssetPackFailure) { list = try DomainAllowList(entries) } catch { throw .file("\(error.sentence).") }
  }

  func check(_ host: String) throws(ManagedBackgroundAssetsError) {
    guard let list else { return }
    let authority = host.contains(":") ? "[\(host)]" : host
    guard list.matches(host: authority) else { throw .sessionDownloadDisallowedByDomain(host: host) }
  }
}
