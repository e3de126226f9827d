import Foundation

/// A state folder that an earlier build made, kept with what that build answered. Its README says how it was made.
package struct KeptState {
  /// What a URL answered.
  package struct Answer {
    package let status: Int
    /// Of the body, when the status is 200.
    package let sha256: String?
    package let size: Int?
  }

  /// The whole of truth.json.
  package let truth: [String: Any]
  private let folder: URL

  /// - Parameter name: a folder below `StateFolders`.
  package init(_ name: String) throws {
    folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("StateFolders/\(name)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent("truth.json")))
    truth = json as? [String: Any] ?? [:]
  }

  /// Copies the state folder to `path`, which must not be there yet.
  package func copy(to path: String) throws {
    try FileManager.default.copyItem(atPath: folder.appendingPathComponent("state").path, toPath: path)
  }

  package func text(_ name: String) -> String { truth[name] as? String ?? "" }
  package func object(_ name: String) -> [String: Any] { truth[name] as? [String: Any] ?? [:] }
  package func list(_ name: String) -> [[String: Any]] { truth[name] as? [[String: Any]] ?? [] }

  /// When the truth was told, in seconds since 1970.
  package var made: Int64 { (truth["made"] as? NSNumber)?.int64Value ?? 0 }
  /// Ids of apps by bundle id.
  package var apps: [String: String] { object("apps") as? [String: String] ?? [:] }
  /// By path and query. The ones that are not there answered 404.
  package var manifests: [String: Answer] { answers("manifests") }
  /// Of each version of each pack, by path.
  package var archives: [String: Answer] { answers("archives") }

  private func answers(_ name: String) -> [String: Answer] {
    object(name).mapValues { value in
      let value = value as? [String: Any] ?? [:]
      return Answer(
        status: value["status"] as? Int ?? 0, sha256: value["sha256"] as? String, size: value["size"] as? Int)
    }
  }
}
