/// A target declares what it imports, and imports what it declares.
enum ImportRule {
  private static let toolchain: Set = ["Glibc", "Swift", "Synchronization"]
  private static let forTests: Set = ["Foundation", "Testing"]

  /// - Parameter programs: targets that tests depend on to start them.
  static func violations(
    of target: PackageDescription.Target, in files: [ProjectTree.File], programs: Set<String> = []
  ) -> [String] {
    if target.isSystemLibrary { return [] }
    let allowed = toolchain.union(target.dependencies).union(target.folder.hasPrefix("Tests/") ? forTests : [])
    var imported: Set<String> = []
    var violations: [String] = []
    for file in files {
      for (index, line) in file.code.enumerated() {
        guard let module = SwiftText.importedModule(line) else { continue }
        imported.insert(module)
        if allowed.contains(module) { continue }
        violations.append(
          "\(file.place(index)): \(target.name) imports \(module); add it to the target's list in Package.swift "
            + "if it is a lower layer, or do without it")
      }
    }
    // A target without Swift has headers and C, which name no modules.
    if files.isEmpty { return violations }
    for name in target.dependencies where !imported.contains(name) && !(target.isTest && programs.contains(name)) {
      violations.append(
        "Package.swift:\(target.line): \(target.name) imports \(name) nowhere; take it off the target's list")
    }
    return violations
  }
}
