import FeedModel
import ProgramSettings

extension OtherPrograms {
  /// Returns arguments with a file or an address; the address must be http or https.
  static func arguments(
    _ program: Program, address: String?, file: String? = nil
  ) throws(CommandFailure) -> [String] {
    if let file { return Browser.arguments(program.arguments, file) }
    guard let address else { return program.arguments }
    let url = WebAddress(address)
    guard url.isHTTP else {
      throw CommandFailure("Only http and https addresses are opened; this is \(address).")
    }
    return Browser.arguments(program.arguments, url.text)
  }
}
