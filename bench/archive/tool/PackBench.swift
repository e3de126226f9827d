func packSeconds(path: String, threads: Int) -> String { "not yet" }
