import AssetPacks

// The domain's rules on values, in the store's words. Everything that enters the catalog passes here.

/// Makes a value of the domain; its refusal names the field.
func checked<T>(
  _ field: String, _ make: @autoclosure () throws(AssetPackFailure) -> T
) throws(StoreFailure) -> T {
  do throws(AssetPackFailure) { return try make() } catch { throw .valueInvalid(field: field, error) }
}

extension PackStore {
  /// The patterns in their clean form; the public base URL's host must be allowed by them.
  func checkedDomains(_ patterns: [String], app: String) throws(StoreFailure) -> [String] {
    let list = try checked("domainAllowList", try DomainAllowList(patterns))
    try checkHost(list, app: app)
    return list.entries
  }

  /// Refuses when links to the public base URL would leave the app's allow-list.
  func checkHost(_ list: DomainAllowList, app: String) throws(StoreFailure) {
    guard list.matches(baseURL.host) else {
      throw .hostNotAllowed(host: baseURL.host.text, app: app, allowed: list.entries)
    }
  }
}
