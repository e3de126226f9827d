// swift-tools-version: 6.2
import PackageDescription

// The order below is the order of the layers, lowest first: a target imports only what stands
// above it in this file. `.ci/run` checks that no import escapes this list.

/// A library target that imports exactly `dependencies`.
func layer(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies)
}

let package = Package(
  name: "packhouse",
  products: [
    .executable(name: "packhouse", targets: ["packhouse"]),
    .library(name: "PackhouseClient", targets: ["PackhouseClient"]),
  ],
  targets: [
    // C libraries and the kernel
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CRecordSealing", dependencies: ["COpenSSL"], exclude: ["README.md"]),

    // Pure values
    layer("Values"),
    layer("JSONText", ["Values"]),
    layer("Configuration", ["JSONText", "Values"]),
    layer("HTTPCore", ["Values"]),
    layer("Digests", ["COpenSSL", "Values"]),
    layer("Signatures", ["COpenSSL"]),
    layer("AppleArchive", ["CZlib", "Digests", "Values"]),
    layer("AssetPacks", ["JSONText", "Values"]),
    layer("PropertyLists", ["Values"]),
    layer("QRCode"),

    // Resources
    layer("SystemIO", ["CLinux", "Values"]),
    layer("EventLoop", ["CLinux", "SystemIO", "Values"]),
    layer("TLS", ["CLinux", "COpenSSL", "CRecordSealing", "Digests", "SystemIO", "Values"]),
    layer(
      "PackStore",
      [
        "AssetPacks", "CLinux", "CSQLite", "Digests", "JSONText", "SystemIO", "Values",
      ],
      resources: [.embedInCode("Database/Migrations")]),

    // Behaviour
    layer("Observability", ["CLinux", "EventLoop", "SystemIO"]),
    layer("HTTPClient", ["CLinux", "EventLoop", "HTTPCore", "SystemIO", "TLS"]),
    layer("Doctor", ["AssetPacks", "HTTPClient", "HTTPCore", "JSONText", "PropertyLists", "TLS", "Values"]),
    layer("HTTPServer", ["CLinux", "EventLoop", "HTTPCore", "Observability", "SystemIO", "TLS", "Values"]),
    layer(
      "Packing",
      ["AppleArchive", "AssetPacks", "CLinux", "Digests", "EventLoop", "JSONText", "SystemIO", "Values"]),
    layer(
      "Processing",
      ["AppleArchive", "AssetPacks", "EventLoop", "JSONText", "Observability", "Packing", "PackStore", "SystemIO"]),
    layer(
      "Webhooks",
      [
        "AssetPacks", "Digests", "EventLoop", "HTTPClient", "HTTPCore", "JSONText", "Observability", "PackStore",
        "SystemIO", "TLS", "Values",
      ]),
    layer(
      "AdminAPI",
      [
        "AssetPacks", "Digests", "EventLoop", "HTTPCore", "JSONText", "Observability", "PackStore", "Signatures",
        "SystemIO", "Values", "Webhooks",
      ]),
    layer("Delivery", ["AssetPacks", "CZlib", "HTTPCore", "PackStore", "SystemIO", "Values"]),

    // Programs
    layer(
      "PackhouseClient",
      [
        "AppleArchive", "AssetPacks", "CLinux", "Digests", "EventLoop", "HTTPClient", "JSONText", "Packing",
        "SystemIO", "TLS", "Values",
      ]),
    layer(
      "Daemon",
      [
        "AdminAPI", "AppleArchive", "AssetPacks", "CLinux", "Configuration", "Delivery", "Doctor", "EventLoop",
        "HTTPCore", "HTTPServer", "JSONText", "Observability", "PackStore", "Processing", "SystemIO", "TLS", "Values",
        "Webhooks",
      ]),
    layer(
      "Development",
      [
        "AppleArchive", "AssetPacks", "CLinux", "Daemon", "Delivery", "Digests", "EventLoop", "HTTPCore",
        "HTTPServer", "JSONText", "Observability", "Packing", "PackStore", "PropertyLists", "QRCode", "SystemIO",
        "TLS", "Values",
      ]),
    .executableTarget(
      name: "packhouse",
      dependencies: [
        "AppleArchive", "AssetPacks", "Daemon", "Development", "Digests", "Doctor", "EventLoop", "HTTPClient",
        "HTTPCore", "HTTPServer", "JSONText", "PackhouseClient", "Packing", "PackStore", "PropertyLists", "SystemIO",
        "TLS", "Values",
      ]),
    // Measurements, no part of the product: see bench/archive/run
    .executableTarget(
      name: "archive-bench", dependencies: ["AppleArchive", "Packing", "SystemIO", "Values"], path: "bench/archive/tool"
    ),

    // Tests, and what several of them use
    .target(
      name: "TestSupport", dependencies: ["COpenSSL"], path: "Tests/TestSupport", exclude: ["StateFolders"]),
<<<<<<< HEAD
    tests("Values", ["Values"]),
    tests("Packing", ["AppleArchive", "AssetPacks", "Digests", "JSONText", "Packing", "SystemIO"]),
    tests("JSONText", ["JSONText"]),
    tests("JSONText", ["JSONText"]),
    tests("Signatures", ["Signatures", "TestSupport"]),
    tests("Webhooks", ["AssetPacks", "EventLoop", "HTTPClient", "JSONText", "PackStore", "Webhooks"]),
    tests("EventLoop", ["EventLoop", "SystemIO"]),
    tests("Delivery", ["AssetPacks", "Delivery", "Digests", "HTTPCore", "PackStore"]),
    tests("Processing", ["AppleArchive", "AssetPacks", "Packing", "PackStore", "Processing"]),
    tests(
      "HTTPServer",
      ["CLinux", "COpenSSL", "EventLoop", "HTTPCore", "HTTPServer", "Observability", "SystemIO", "TestSupport", "TLS"]),
    tests("TLS", ["COpenSSL", "SystemIO", "TLS"]),
    tests("HTTPCore", ["HTTPCore", "Values"]),
    tests("SystemIO", ["SystemIO"]),
    tests(
      "PackStore",
      ["AssetPacks", "CSQLite", "Digests", "JSONText", "PackStore", "SystemIO", "TestSupport", "Values"]),
    tests("AssetPacks", ["AssetPacks", "JSONText"]),
    tests(
      "Configuration",
      ["AssetPacks", "Configuration", "Daemon", "Development", "HTTPServer", "JSONText", "Observability"]),
    tests("AppleArchive", ["AppleArchive", "Digests", "Values"]),
    tests("Packhouse", ["packhouse"]),
    tests(
      "PackhouseClient",
      ["AppleArchive", "Digests", "HTTPClient", "PackhouseClient", "SystemIO", "TestSupport", "TLS"]),
    tests("HTTPClient", ["EventLoop", "HTTPClient", "SystemIO", "TestSupport", "TLS"]),
    tests("PropertyLists", ["PropertyLists", "TestSupport"]),
    tests("QRCode", ["QRCode"]),
    tests("Doctor", ["AssetPacks", "Doctor", "HTTPClient", "PropertyLists", "TestSupport", "TLS"]),
    tests(
      "AdminAPI",
      [
        "AdminAPI", "AssetPacks", "Digests", "EventLoop", "HTTPCore", "JSONText", "Observability", "PackStore",
        "Signatures", "SystemIO", "TestSupport", "Values",
      ]),
    tests("Style"),
    tests(
      "Daemon",
      [
        "AppleArchive", "AssetPacks", "Daemon", "Development", "Digests", "EventLoop", "HTTPClient", "HTTPCore",
        "HTTPServer", "Observability", "packhouse", "PackStore", "SystemIO", "TestSupport", "TLS", "Values",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
