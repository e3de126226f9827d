import AssetPacks
import HTTPClient

/// What an app has to be prepared for: what its server delivers, and from where.
package struct DeliveryFacts: Sendable {
  /// Bytes of the essential packs and of the others.
  package struct Sizes: Sendable, Equatable {
    package var essential: Int64
    package var others: Int64

    package init(essential: Int64, others: Int64) {
      self.essential = essential
      self.others = others
    }
  }

  /// A host that devices download from.
  package struct Host: Sendable, Equatable {
    package let name: String
    /// Completes "…, the host of": "the manifest".
    package let what: String
  }

  /// Where the app's manifest is.
  package var manifestURL: HTTPSURL?
  /// Compressed: what is downloaded. Nil while the manifest is not known.
  package var downloadSizes: Sizes?
  /// Unpacked. The manifest does not tell; the server's admin API and its catalog do.
  package var installSizes: Sizes?
  /// Each once.
  package private(set) var hosts: [Host] = []

  package init(manifestURL: HTTPSURL? = nil) {
    self.manifestURL = manifestURL
    if let manifestURL { add(host: manifestURL.host, "the manifest") }
  }

  /// Takes up what a manifest says.
  package mutating func add(_ manifest: ReceivedManifest) {
    downloadSizes = Self.sum(manifest) { Int64($0.pack.downloadSize) }
    for entry in manifest.entries {
      if let url = try? HTTPSURL(entry.url) { add(host: url.host, entry.pack.id.text) }
    }
  }

  /// Sums by policy; at most `Int64.max`.
  package static func sum(_ manifest: ReceivedManifest, _ size: (ReceivedManifest.Entry) -> Int64) -> Sizes {
    var sizes = Sizes(essential: 0, others: 0)
    for entry in manifest.entries {
      if case .essential = entry.pack.downloadPolicy {
        sizes.essential = saturated(sizes.essential, size(entry))
      } else {
        sizes.others = saturated(sizes.others, size(entry))
      }
    }
    return sizes
  }

  private static func saturated(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(max(0, b))
    return overflow ? .max : sum
  }

  /// Adds a host that devices are led to.
  package mutating func add(host name: String, _ what: String) {
    guard !hosts.contains(where: { $0.name == name }) else { return }
    hosts.append(Host(name: name, what: what))
  }

  /// As an allow-list has it: IPv6 addresses in brackets.
  package static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
