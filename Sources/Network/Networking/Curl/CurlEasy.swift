import CCurl

/// An easy handle and the memory that it uses.
final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var headerList: UnsafeMutablePointer<curl_slist>?

  init() throws(TransportError) {
    guard let handle = curl_easy_init() else {
      throw TransportError(.other, detail: "out of memory")
    }
    self.handle = handle
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    weir_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  func set(_ option: CURLoption, _ value: Int) { weir_curl_set_long(handle, option, value) }

  func set(_ option: CURLoption, _ value: String) { weir_curl_set_string(handle, option, value) }

  /// - Parameter lines: header lines without line ends.
  func setHeaders(_ lines: [[UInt8]]) throws(TransportError) {
    for line in lines {
      let next = (line + [0]).withUnsafeBytes {
        curl_slist_append(headerList, $0.assumingMemoryBound(to: CChar.self).baseAddress)
      }
      guard let next else { throw TransportError(.other, detail: "out of memory") }
      headerList = next
    }
    weir_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
  }

  /// Makes the request a POST with a copy of these bytes.
  func setBody(_ body: [UInt8]) {
    set(CURLOPT_POST, 1)
    weir_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
    // An extra byte, because an empty array may have no address, and libcurl would then call a read
    // callback.
    (body + [0]).withUnsafeBytes {
      _ = weir_curl_set_pointer(
        handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    weir_curl_get_long(handle, info, &value)
    return value
  }

  func offset(_ info: CURLINFO) -> curl_off_t {
    var value: curl_off_t = 0
    weir_curl_get_offset(handle, info, &value)
    return value
  }

  /// The descriptor of the open connection; -1 if there is none.
  var socket: Int32 {
    var value = curl_socket_t(CURL_SOCKET_BAD)
    weir_curl_get_socket(handle, CURLINFO_ACTIVESOCKET, &value)
    return Int32(value)
  }

  /// Converts a time in microseconds.
  func seconds(_ info: CURLINFO) -> Double { Double(offset(info)) / 1e6 }

  func string(_ info: CURLINFO) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    weir_curl_get_string(handle, info, &value)
    return value.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  func describe(_ code: CURLcode) -> String {
    let text = String(cString: errorText)
    return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
  }
}
