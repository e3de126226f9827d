import AppleArchive
import Glibc
import Packing
import SystemIO
import Values

/// Writes an archive of one file to memory that is thrown away: seconds on the clock and the archive's length. With 0
/// threads the writer compresses on its own.
func packSeconds(path: String, threads: Int) -> String {
  let contents = CodecBench.fileBytes(path)
  let total = ByteCount()
  do {
    let begin = wallTime()
    let time = ArchiveTime(seconds: 0)
    let sink = { (bytes: UnsafeRawBufferPointer) throws(SystemFailure) in total.value += bytes.count }
    var writer =
      threads == 0
      ? ArchiveWriter<SystemFailure>(sink: sink)
      : ArchiveWriter<SystemFailure>(
        blocks: try ParallelBlockCompressor(
          .lzfse, blockSize: ArchiveWriter<SystemFailure>.defaultBlockSize, threads: threads, sink: sink))
    try writer.beginFile("Contents/file", size: Int64(contents.count), modified: time)
    try contents.withUnsafeBytes { try writer.fileBytes($0) }
    try writer.endFile()
    try writer.finish()
    return "\(wallTime() - begin) \(total.value)"
  } catch {
    return "\(error)"
  }
}

private final class ByteCount {
  var value = 0
}

private func wallTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
