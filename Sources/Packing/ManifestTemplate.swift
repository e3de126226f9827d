/// A packaging manifest with every key and every kind of selector, explained, to begin with.
package enum ManifestTemplate {
  package static let text = #"""
    {
      // What devices, the server and the command line know the pack by: 1 to 128 letters, digits, hyphens, dots and
      // underscores. App Store Connect takes letters, digits and hyphens only.
      "assetPackID": "my-pack",

      // When a device downloads the pack. Exactly one of
      //   "essential": {…}   before the app can be opened
      //   "prefetch": {…}    in the background, beginning with the installation
      //   "onDemand": {}     when the app asks for it
      // The first two say on which events: "firstInstallation", "subsequentUpdate", or both.
      "downloadPolicy": {
        "prefetch": {
          "installationEventTypes": ["firstInstallation", "subsequentUpdate"],
        },
      },

      // Which files go into the pack. Keep the kinds that you need; a selector that matches nothing is an error. Paths
      // are relative to sourceRoot, with / between their parts. On a device all packs of an app share one tree of
      // paths, so no two packs should have the same one.
      "fileSelectors": [
        // One file, at the same path in the pack.
        { "file": "Readme.txt" },

        // Everything below a folder; the folder's path stays in front.
        { "directory": "Textures" },

        // Every file whose path matches: * and ? stay within one part, ** goes across folders, [a-z] is one character.
        { "filePattern": "Levels/**/*.json" },

        // One file, at another path in the pack.
        { "fileSource": "Build/intro-final.m4v", "fileDestination": "Videos/Introduction.m4v" },

        // Everything below a folder, below another one in the pack; "." is the root, for both.
        { "directorySource": "Build/Sounds", "directoryDestination": "Sounds" },

        // Takes a file, or all below a folder, out of what the others took.
        { "fileExclusion": "Textures/Drafts" },
      ],

      // The platforms that the pack is for: "iOS" (and iPadOS), "macOS", "tvOS", "visionOS". [] is all of them.
      "platforms": ["iOS"],

      // For a localized pack: language, script and region, as in "en", "pt-BR", "zh-Hant-TW". Optional.
      "language": "en",

      // The folder that the paths above begin at, relative to this file's folder; it may lead upwards with "..".
      // Optional: without it they begin at the folder that packhouse is started in.
      "sourceRoot": ".",

      // Yours: copied into the download manifest, where the app can read it. Optional.
      "userInfo": {
        "minimumAppVersion": 1,
      },
    }

    """#
}
