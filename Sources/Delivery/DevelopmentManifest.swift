// replaced when DownloadManifest arrives
