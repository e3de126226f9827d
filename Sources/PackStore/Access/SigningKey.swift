import SystemIO

extension PackStore {
  /// The secret that upload addresses are signed with: 32 random bytes, made once for each state folder.
  package func uploadSigningKey() throws(StoreFailure) -> [UInt8] {
    try setting("upload-signing-key") { () throws(StoreFailure) in
      try random(try secureRandomBytes(32))
    }
  }
}
