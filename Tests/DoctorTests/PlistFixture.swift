import AssetPacks
import HTTPClient
import PropertyLists

@testable import Doctor

/// An `Info.plist` in order, to be broken one key at a time, and what its server delivers.
enum PlistFixture {
  static let manifestURL = "https://packs.example.com/apps/com.example.game/production/manifest.json"

  /// 3000 essential bytes and 5000 others compressed, twice as many unpacked; packs come from a CDN.
  static func facts() throws -> DeliveryFacts {
    var facts = DeliveryFacts(manifestURL: try HTTPSURL(manifestURL))
    facts.downloadSizes = .init(essential: 3000, others: 5000)
    facts.installSizes = .init(essential: 6000, others: 10_000)
    facts.add(host: "cdn.example.net", "level-1")
    return facts
  }

  static let restrictions: [(String, PropertyList)] = [
    ("BADownloadAllowance", .integer(5000)), ("BAEssentialDownloadAllowance", .integer(3000)),
    ("BADownloadDomainAllowList", .array([.string("packs.example.com"), .string("*.example.net")])),
  ]

  static let members: [(String, PropertyList)] = [
    ("BAAppGroupID", .string("group.com.example.game")), ("BAHasManagedAssetPacks", .bool(true)),
    ("BAManifestURL", .string(manifestURL)), ("BAEssentialMaxInstallSize", .integer(6000)),
    ("BAMaxInstallSize", .integer(10_000)),
    ("BAInitialDownloadRestrictions", .dictionary(PropertyDictionary(restrictions))),
  ]

  /// The list with `changes`; nil takes a key out, and a name with a dot stands inside the restrictions.
  static func list(_ changes: [String: PropertyList?]) -> PropertyList {
    func changed(_ pairs: [(String, PropertyList)], _ prefix: String) -> PropertyDictionary {
      var result: [(String, PropertyList)] = []
      for (key, value) in pairs {
        if let change = changes[prefix + key] {
          if let change { result.append((key, change)) }
        } else {
          result.append((key, value))
        }
      }
      let known = Set(pairs.map { prefix + $0.0 })
      for (key, value) in changes where key.contains(".") != prefix.isEmpty && !known.contains(key) {
        if let value { result.append((String(key.dropFirst(prefix.count)), value)) }
      }
      return PropertyDictionary(result)
    }
    var pairs = members
    pairs[5].1 = .dictionary(changed(restrictions, "."))
    return .dictionary(changed(pairs, ""))
  }
}
