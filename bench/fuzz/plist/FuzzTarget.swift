/// Any bytes as a property list; what can be read is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  guard let list = try? PropertyList.parse(Array(UnsafeRawBufferPointer(start: start, count: count))) else { return 0 }
  _ = try? PropertyList.parse(Array(list.xml.utf8))
  return 0
}
