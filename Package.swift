// swift-tools-version: 6.2
import PackageDescription

// The order below is the order of the layers, lowest first: a target imports only what stands
// above it in this file. `.ci/run` checks that no import escapes this list.

/// A library target that imports exactly `dependencies`.
func layer(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
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

    // Pure values
    layer("JSONText"),
    layer("Configuration", ["JSONText"]),
    layer("HTTPCore"),
    layer("Digests", ["COpenSSL"]),
    layer("Signatures", ["COpenSSL"]),
    layer("AppleArchive", ["CZlib", "Digests"]),
    layer("AssetPacks", ["JSONText"]),
    layer("PropertyLists"),
    layer("QRCode"),

    // Resources
    layer("SystemIO", ["CLinux"]),
    layer("EventLoop", ["CLinux", "SystemIO"]),
    layer("TLS", ["CLinux", "COpenSSL", "Digests", "SystemIO"]),
    layer(
      "PackStore", ["CLinux", "CSQLite", "Digests", "SystemIO", "AssetPacks", "JSONText"],
      resources: [.embedInCode("Migrations")]),

    // Behaviour
    layer("Observability", ["CLinux", "EventLoop", "SystemIO"]),
    layer("HTTPClient", ["CLinux", "EventLoop", "HTTPCore", "SystemIO", "TLS"]),
    layer("Doctor", ["AssetPacks", "HTTPClient", "HTTPCore", "JSONText", "PropertyLists", "TLS"]),
    layer("HTTPServer", ["CLinux", "EventLoop", "HTTPCore", "Observability", "SystemIO", "TLS"]),
    layer("Packing", ["AppleArchive", "AssetPacks", "CLinux", "Digests", "EventLoop", "JSONText", "SystemIO"]),
    layer(
      "Processing",
      [
        "AppleArchive", "AssetPacks", "EventLoop", "JSONText", "Observability", "PackStore", "Packing",
        "SystemIO",
      ]),
    layer(
      "Webhooks",
      [
        "AssetPacks", "Digests", "EventLoop", "HTTPClient", "HTTPCore", "JSONText", "Observability", "PackStore",
        "SystemIO", "TLS",
      ]),
    layer(
      "AdminAPI",
      [
        "AssetPacks", "Digests", "EventLoop", "HTTPCore", "JSONText", "Observability", "PackStore", "Signatures",
        "SystemIO", "Webhooks",
      ]),
    layer("Delivery", ["AssetPacks", "CZlib", "HTTPCore", "PackStore", "SystemIO"]),

    // Programs
    layer(
      "PackhouseClient",
      [
        "AppleArchive", "AssetPacks", "CLinux", "Digests", "EventLoop", "HTTPClient", "JSONText", "Packing", "SystemIO",
        "TLS",
      ]),
    layer(
      "Daemon",
      [
        "AdminAPI", "AppleArchive", "AssetPacks", "CLinux", "Configuration", "Delivery", "Digests", "Doctor",
        "EventLoop", "HTTPClient", "HTTPCore", "HTTPServer", "JSONText", "Observability", "PackStore", "Packing",
        "Processing", "PropertyLists", "QRCode", "SystemIO", "TLS", "Webhooks",
      ]),
    .executableTarget(
      name: "packhouse",
      dependencies: [
        "AppleArchive", "AssetPacks", "Daemon", "Digests", "Doctor", "EventLoop", "HTTPClient", "HTTPCore",
        "HTTPServer", "JSONText", "PackStore", "PackhouseClient", "Packing", "PropertyLists", "QRCode", "SystemIO",
        "TLS",
      ]),
    // Measurements, no part of the product: see bench/archive/run
    .executableTarget(
      name: "archive-bench", dependencies: ["AppleArchive", "Packing", "SystemIO"], path: "bench/archive/tool"),

    // Tests, and what several of them use
    .target(name: "TestSupport", dependencies: ["COpenSSL"], path: "Tests/TestSupport"),
    tests("Packing", ["AppleArchive", "AssetPacks", "Digests", "JSONText", "Packing", "SystemIO"]),
    tests("JSONText", ["JSONText"]),
    tests("Digests", ["Digests"]),
    tests("Signatures", ["COpenSSL", "Signatures", "TestSupport"]),
    tests("Webhooks", ["AssetPacks", "EventLoop", "HTTPClient", "JSONText", "PackStore", "Webhooks"]),
    tests("EventLoop", ["EventLoop", "SystemIO"]),
    tests("Delivery", ["AssetPacks", "Delivery", "Digests", "HTTPCore", "PackStore"]),
    tests("Processing", ["AppleArchive", "AssetPacks", "PackStore", "Packing", "Processing"]),
    tests("HTTPServer", ["CLinux", "EventLoop", "HTTPCore", "HTTPServer", "Observability", "SystemIO", "TLS"]),
    tests("TLS", ["COpenSSL", "SystemIO", "TLS"]),
    tests("HTTPCore", ["HTTPCore"]),
    tests("SystemIO", ["SystemIO"]),
    tests("PackStore", ["AssetPacks", "CSQLite", "Digests", "JSONText", "PackStore", "SystemIO"]),
    tests("AssetPacks", ["AssetPacks", "JSONText"]),
    tests("Configuration", ["Configuration"]),
    tests("AppleArchive", ["AppleArchive", "Digests"]),
    tests("Packhouse", ["packhouse"]),
    tests(
      "PackhouseClient", ["AppleArchive", "Digests", "HTTPClient", "JSONText", "PackhouseClient", "SystemIO", "TLS"]),
    tests("HTTPClient", ["EventLoop", "HTTPClient", "TLS", "SystemIO"]),
    tests("PropertyLists", ["PropertyLists"]),
    tests("QRCode", ["QRCode"]),
    tests("Doctor", ["AssetPacks", "Doctor", "HTTPClient", "PropertyLists", "TLS"]),
    tests(
      "AdminAPI",
      [
        "AdminAPI", "AssetPacks", "COpenSSL", "Digests", "EventLoop", "HTTPCore", "JSONText", "Observability",
        "PackStore", "Signatures", "SystemIO", "TestSupport", "Webhooks",
      ]),
    tests("Style", []),
    tests(
      "Daemon",
      [
        "AppleArchive", "AssetPacks", "Daemon", "Digests", "EventLoop", "HTTPClient", "HTTPCore", "HTTPServer",
        "Observability", "PackStore", "SystemIO", "TLS", "packhouse",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
