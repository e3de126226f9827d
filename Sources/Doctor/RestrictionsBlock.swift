import PropertyLists

/// The part of an `Info.plist` that goes with what a server delivers, to be pasted.
package struct RestrictionsBlock {
  private let facts: DeliveryFacts
  private let appGroup: String
  /// Percent that are added to each number, for packs that grow.
  private let headroom: Int64

  package init(facts: DeliveryFacts, appGroup: String, headroom: Int64 = 0) {
    self.facts = facts
    self.appGroup = appGroup
    self.headroom = headroom
  }

  /// The keys with their values; install sizes are left out while they are not known.
  package var members: PropertyDictionary {
    let download = facts.downloadSizes ?? .init(essential: 0, others: 0)
    var members = PropertyDictionary([
      ("BAAppGroupID", .string(appGroup)), ("BAHasManagedAssetPacks", .bool(true)),
    ])
    if let url = facts.manifestURL { members.append("BAManifestURL", .string(url.description)) }
    if let install = facts.installSizes {
      members.append("BAEssentialMaxInstallSize", number(install.essential))
      members.append("BAMaxInstallSize", number(install.others))
    }
    members.append(
      "BAInitialDownloadRestrictions",
      .dictionary(
        PropertyDictionary([
          ("BADownloadAllowance", number(download.others)),
          ("BAEssentialDownloadAllowance", number(download.essential)),
          (
            "BADownloadDomainAllowList",
            .array(facts.hosts.map { .string(DeliveryFacts.bracketed($0.name)) })
          ),
        ])))
    return members
  }

  /// XML for inside the `<dict>` of an `Info.plist`.
  package var xml: String { members.xmlMembers(indentation: 1) + "\n" }

  private func number(_ value: Int64) -> PropertyList {
    let (product, overflow) = value.multipliedReportingOverflow(by: 100 + headroom)
    // Rounded up, so that a percent of little is not nothing.
    return .integer(overflow ? .max : product / 100 + (product % 100 == 0 ? 0 : 1))
  }
}
