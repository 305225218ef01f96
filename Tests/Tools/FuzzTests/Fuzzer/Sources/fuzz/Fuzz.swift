/// Runs libFuzzer's loop (LLVM, "Using libFuzzer as a library"), which calls `body` until its
/// options end it.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `fuzz TARGET [libFuzzer's options and folders]`.
@main
struct Fuzz {
  nonisolated(unsafe) private static var target = FuzzTarget.xml

  static func main() {
    guard CommandLine.arguments.count > 1,
      let target = FuzzTarget(rawValue: CommandLine.arguments[1])
    else {
      print("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) …")
      return
    }
    self.target = target
    // The target takes the place of the program's name.
    var arguments = CommandLine.unsafeArgv + 1
    var count = CommandLine.argc - 1
    _ = runFuzzer(&count, &arguments) { bytes, length in
      let input = Array(UnsafeBufferPointer(start: bytes, count: length))
      if let fault = Fuzz.target.fault(in: input) { fatalError(fault) }
      return 0
    }
  }
}
