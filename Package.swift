// swift-tools-version: 6.3

import PackageDescription

/// Warnings are errors for the project's own checks (`tools/test` sets the variable), never for someone who only builds.
let warningsAreErrors = Context.environment["FENCELINE_STRICT"] == "1"

let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
  ]
  + (warningsAreErrors
    ? [.treatAllWarnings(as: .error), .treatWarning("ExplicitSendable", as: .error)] : [])

/// A module that lives in `Sources/NAME`; every name is prefixed so that none collides in a package that depends on this.
/// A core module imports nothing that would bring libm, hence the linker setting.
func module(_ name: String, uses dependencies: [String] = []) -> Target {
  .target(
    name: "Fenceline" + name, dependencies: dependencies.map(dependency), path: "Sources/" + name,
    swiftSettings: strict, linkerSettings: [.linkedLibrary("m")])
}

/// A library of the system: a module map and a `shim.h`, nothing else.
func system(_ name: String, _ pkgConfig: String, _ apt: String) -> Target {
  .systemLibrary(
    name: "CFenceline" + name, path: "Sources/C" + name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// The tests of one module, in `Tests/NAME`.
func tests(_ name: String, uses dependencies: [String], excluding files: [String] = []) -> Target {
  .testTarget(
    name: "Fenceline" + name + "Tests",
    dependencies: (dependencies + ["FencelineTestSupport"]).map { .init(stringLiteral: $0) },
    path: "Tests/" + name, exclude: files,
    swiftSettings: strict)
}

/// A dependency of a module, by its name. libmosquitto is only needed where the trait `MQTT` is on.
func dependency(_ name: String) -> Target.Dependency {
  name == "CFencelineMosquitto"
    ? .target(name: name, condition: .when(traits: ["MQTT"])) : .init(stringLiteral: name)
}

let package = Package(
  name: "fenceline",
  products: [
    .executable(name: "fenceline", targets: ["fenceline"]),
    .library(
      name: "FencelineCore",
      targets: [
        "FencelineCivilTime", "FencelineGeodesy", "FencelineSpatialIndex", "FencelinePositioning",
        "FencelineGeofencing", "FencelineNotifying", "FencelineDecisions",
      ]),
  ],
  // Without this trait (`swift build --disable-default-traits`) libmosquitto need not be installed: the channel `mqtt` and the source of
  // OwnTracks then say that they were left out. Everything else is as it was.
  traits: [
    .default(enabledTraits: ["MQTT"]),
    .trait(
      name: "MQTT", description: "MQTT, by libmosquitto: the channel 'mqtt', and OwnTracks as a source."),
  ],
  targets: [
    system("SQLite", "sqlite3", "libsqlite3-dev"),
    system("GPS", "libgps", "libgps-dev"),
    system("Expat", "expat", "libexpat1-dev"),
    system("YAML", "yaml-0.1", "libyaml-dev"),
    system("Zlib", "zlib", "zlib1g-dev"),
    system("Crypto", "libcrypto", "libssl-dev"),
    system("Microhttpd", "libmicrohttpd", "libmicrohttpd-dev"),
    system("Curl", "libcurl", "libcurl4-openssl-dev"),
    system("Mosquitto", "libmosquitto", "libmosquitto-dev"),
    system("Systemd", "libsystemd", "libsystemd-dev"),
    .systemLibrary(name: "CFencelineLinux", path: "Sources/CLinux"),
    .target(
      name: "CFencelineGeographic", path: "Sources/CGeographic",
      linkerSettings: [.linkedLibrary("GeographicLib")]),

    module("CivilTime"),
    module("JSONText"),
    module("XMLText", uses: ["CFencelineExpat"]),
    module("Geodesy", uses: ["CFencelineGeographic"]),
    module("SpatialIndex", uses: ["FencelineGeodesy"]),
    module("Positioning", uses: ["FencelineCivilTime", "FencelineGeodesy"]),
    module(
      "Geofencing",
      uses: ["FencelineCivilTime", "FencelineGeodesy", "FencelinePositioning", "FencelineSpatialIndex"]),
    module("Notifying", uses: ["FencelineJSONText", "FencelineCivilTime", "FencelineGeofencing"]),
    module(
      "Decisions",
      uses: [
        "FencelineCivilTime", "FencelineGeodesy", "FencelinePositioning", "FencelineSpatialIndex",
        "FencelineGeofencing",
      ]),

    module(
      "TrackLogs",
      uses: [
        "CFencelineZlib", "CFencelineCrypto", "FencelineJSONText", "FencelineXMLText", "FencelineCivilTime",
        "FencelineGeodesy", "FencelinePositioning",
      ]),
    module(
      "LiveSources",
      uses: [
        "CFencelineGPS", "FencelineMQTTLink", "FencelineTrackLogs", "FencelineJSONText", "FencelineCivilTime",
        "FencelineGeodesy",
        "FencelinePositioning", "FencelineGeofencing",
      ]),
    module(
      "RegionFiles",
      uses: [
        "CFencelineYAML", "FencelineCivilTime", "FencelineGeodesy", "FencelineGeofencing",
        "FencelineJSONText",
        "FencelineXMLText",
      ]),
    module(
      "MapDrawing",
      uses: [
        "FencelineXMLText", "FencelineCivilTime", "FencelineGeodesy", "FencelinePositioning",
        "FencelineGeofencing",
      ]),
    module("SQLiteStore", uses: ["CFencelineSQLite"]),
    module(
      "EventJournal",
      uses: [
        "FencelineSQLiteStore", "FencelineJSONText", "FencelineCivilTime", "FencelineGeodesy",
        "FencelinePositioning", "FencelineGeofencing", "FencelineNotifying", "FencelineDecisions",
      ]),
    module("Attachments", uses: ["CFencelineCrypto"]),
    module("HTTPServing", uses: ["CFencelineLinux", "CFencelineMicrohttpd"]),
    module("Transfers", uses: ["CFencelineCurl", "FencelineThreads"]),
    module("HTTPCalling", uses: ["CFencelineCurl", "FencelineTransfers"]),
    module("MailSending", uses: ["CFencelineCurl", "FencelineCivilTime", "FencelineTransfers"]),
    module("MQTTLink", uses: ["CFencelineLinux", "CFencelineMosquitto", "FencelineThreads"]),
    module("SystemdLink", uses: ["CFencelineSystemd"]),
    module("Threads", uses: ["CFencelineLinux"]),
    module("DesktopLink", uses: ["CFencelineSystemd", "CFencelineLinux", "FencelineThreads"]),
    module(
      "Delivery",
      uses: [
        "CFencelineLinux", "CFencelineCrypto", "FencelineCivilTime", "FencelineGeodesy",
        "FencelineGeofencing",
        "FencelineNotifying", "FencelineJSONText", "FencelineHTTPCalling", "FencelineSystemdLink",
        "FencelineDesktopLink", "FencelineMQTTLink", "FencelineThreads", "FencelineTransfers",
        "FencelineMailSending",
      ]),
    module(
      "Diagnosis",
      uses: [
        "FencelineSystemdLink", "FencelineJSONText", "FencelineSQLiteStore", "FencelineEventJournal",
        "FencelineCivilTime", "FencelineDelivery",
      ]),
    module("CommandLineKit", uses: ["FencelineCivilTime"]),
    module("Simulation", uses: ["FencelineCivilTime", "FencelineGeodesy", "FencelinePositioning"]),
    module(
      "Service",
      uses: [
        "CFencelineLinux", "FencelineCivilTime", "FencelineGeodesy", "FencelinePositioning",
        "FencelineGeofencing", "FencelineNotifying", "FencelineDecisions", "FencelineJSONText",
        "FencelineTrackLogs", "FencelineEventJournal", "FencelineLiveSources", "FencelineHTTPServing",
        "FencelineSystemdLink", "FencelineThreads",
        "FencelineAttachments", "FencelineDelivery", "FencelineRegionFiles",
      ]),

    .executableTarget(
      name: "fenceline",
      dependencies: [
        "FencelineCivilTime", "FencelineGeodesy", "FencelineSpatialIndex", "FencelinePositioning",
        "FencelineGeofencing", "FencelineNotifying", "FencelineDecisions", "FencelineTrackLogs",
        "FencelineRegionFiles",
        "FencelineEventJournal", "FencelineService", "FencelineJSONText", "FencelineXMLText",
        "FencelineCommandLineKit", "FencelineMapDrawing", "FencelineSimulation", "FencelineLiveSources",
        "FencelineSystemdLink", "FencelineHTTPServing", "FencelineHTTPCalling", "FencelineDiagnosis",
        "FencelineAttachments", "FencelineDesktopLink", "FencelineDelivery",
      ],
      path: "Sources/fenceline", swiftSettings: strict),

    .target(
      name: "FencelineTestSupport",
      dependencies: [
        "FencelineCivilTime", "FencelineGeodesy", "FencelinePositioning", "FencelineThreads",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    tests("CivilTime", uses: ["FencelineCivilTime"]),
    tests("JSONText", uses: ["FencelineJSONText"]),
    tests("XMLText", uses: ["FencelineXMLText"]),
    tests("Geodesy", uses: ["FencelineGeodesy"]),
    tests("SpatialIndex", uses: ["FencelineSpatialIndex", "FencelineGeodesy"]),
    tests("Positioning", uses: ["FencelinePositioning", "FencelineGeodesy", "FencelineCivilTime"]),
    tests(
      "Geofencing",
      uses: [
        "FencelineGeofencing", "FencelineDecisions", "FencelinePositioning", "FencelineGeodesy",
        "FencelineCivilTime", "FencelineSpatialIndex",
      ]),
    tests(
      "TrackLogs",
      uses: [
        "FencelineTrackLogs", "CFencelineGPS", "CFencelineZlib", "FencelinePositioning", "FencelineGeodesy",
        "FencelineCivilTime",
      ]),
    tests(
      "LiveSources",
      uses: [
        "FencelineLiveSources", "FencelineMQTTLink", "FencelineTrackLogs", "FencelinePositioning",
        "FencelineGeodesy",
        "FencelineCivilTime",
      ]),
    tests(
      "RegionFiles",
      uses: ["FencelineRegionFiles", "FencelineGeofencing", "FencelineGeodesy", "FencelineCivilTime"]),
    tests(
      "MapDrawing",
      uses: [
        "FencelineMapDrawing", "FencelineGeofencing", "FencelineGeodesy", "FencelineCivilTime",
      ]),
    tests("SQLiteStore", uses: ["FencelineSQLiteStore"]),
    tests(
      "EventJournal",
      uses: [
        "FencelineEventJournal", "FencelineNotifying", "FencelineJSONText", "FencelineSQLiteStore",
        "FencelineGeofencing", "FencelineDecisions",
        "FencelinePositioning", "FencelineGeodesy", "FencelineCivilTime", "FencelineSimulation",
      ]),
    tests(
      "Notifying",
      uses: [
        "FencelineNotifying", "FencelineJSONText", "FencelineGeofencing", "FencelineGeodesy",
        "FencelineCivilTime",
      ]),
    tests("Attachments", uses: ["FencelineAttachments"]),
    tests("HTTPServing", uses: ["FencelineHTTPServing", "FencelineHTTPCalling"]),
    tests("Transfers", uses: ["CFencelineCurl", "FencelineTransfers"]),
    tests("HTTPCalling", uses: ["FencelineHTTPCalling", "FencelineHTTPServing"]),
    tests("MQTTLink", uses: ["FencelineMQTTLink"]),
    tests("MailSending", uses: ["FencelineMailSending", "FencelineCivilTime"]),
    tests("SystemdLink", uses: ["FencelineSystemdLink"]),
    tests("DesktopLink", uses: ["FencelineDesktopLink"]),
    tests(
      "Delivery",
      uses: [
        "FencelineDelivery", "FencelineCivilTime", "FencelineGeodesy", "FencelineGeofencing",
        "FencelineNotifying", "FencelineJSONText", "FencelineDesktopLink", "FencelineThreads",
        "FencelineMQTTLink", "FencelineHTTPCalling", "FencelineTransfers", "FencelineSystemdLink",
      ],
      excluding: ["Peers"]),
    tests("Diagnosis", uses: ["FencelineDiagnosis", "FencelineEventJournal"]),
    tests("CommandLineKit", uses: ["FencelineCommandLineKit"]),
    tests(
      "Simulation",
      uses: [
        "FencelineSimulation", "FencelineTrackLogs", "FencelinePositioning", "FencelineGeodesy",
        "FencelineCivilTime",
      ]),
    // A disk that loses what was not synchronised, for the tests of the service.
    .target(
      name: "CFencelinePowerCut", dependencies: ["CFencelineSQLite"], path: "Tests/PowerCut"),
    tests(
      "Service",
      uses: [
        "CFencelinePowerCut", "FencelineService", "FencelineSQLiteStore", "FencelineEventJournal",
        "FencelineNotifying",
        "FencelineTrackLogs", "FencelineGeofencing", "FencelinePositioning", "FencelineGeodesy",
        "FencelineCivilTime", "FencelineDecisions", "FencelineHTTPServing", "FencelineHTTPCalling",
        "FencelineLiveSources", "FencelineSystemdLink",
      ]),
    tests(
      "EndToEnd", uses: ["FencelineHTTPServing", "FencelineHTTPCalling", "FencelineCivilTime"],
      excluding: ["Goldens", "Logs"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// The fuzzer has no main of its own and links with libFuzzer alone; `tools/fuzz` builds it.
if Context.environment["FENCELINE_FUZZ"] == "1" {
  package.products.append(.executable(name: "fuzz", targets: ["fuzz"]))
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "FencelineTrackLogs", "FencelineRegionFiles", "FencelinePositioning", "FencelineGeodesy",
      ],
      path: "tools/fuzzing", swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// What `tools/bench` and `tools/check-instructions` measure with.
if Context.environment["FENCELINE_BENCH"] == "1" {
  package.products.append(.executable(name: "bench", targets: ["bench"]))
  package.targets.append(.systemLibrary(name: "CFencelineMalloc", path: "tools/benchmarks/malloc"))
  package.targets.append(
    .executableTarget(
      name: "bench",
      dependencies: [
        "CFencelineMalloc", "FencelineCivilTime", "FencelineGeodesy", "FencelineSpatialIndex",
        "FencelinePositioning", "FencelineGeofencing", "FencelineDecisions", "FencelineTrackLogs",
        "FencelineEventJournal", "FencelineNotifying",
      ],
      path: "tools/benchmarks/ours", swiftSettings: strict))
}
