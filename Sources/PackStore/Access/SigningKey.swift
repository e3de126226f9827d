import SystemIO

extension PackStore {
  /// The secret that upload addresses are signed with: 32 random bytes, made once for each state folder.
  package func uploadSigningKey() throws(StoreFailure) -> [UInt8] {
    try setting("upload-signing-key") { () throws(StoreFailure) in
      do throws(SystemFailure) { return try secureRandomBytes(32) } catch { throw .system(error) }
    }
  }
}
