// This folder has the entry points for untrusted bytes, the properties that must hold for any
// bytes, and inputs worth repeating. libFuzzer (Fuzzer/, `make fuzz`) and the ordinary tests share
// them.

import FeedModel
import FeedParsing
import Foundation
import HTMLContent
import TextRules

/// An entry point for hostile bytes, with its properties.
enum FuzzTarget: String, CaseIterable, Sendable {
  case xml, json, html, dates, opml, newsboat, charset, account, database, folder

  /// Returns the property that these bytes violate, or `nil` if all hold. The caller must detect a
  /// crash, a hang and excessive memory.
  func fault(in bytes: [UInt8]) -> String? {
    switch self {
    case .xml, .json: FeedPromises.fault(in: bytes)
    case .html: HTMLPromises.fault(in: bytes)
    case .dates: Self.dateFault(in: bytes)
    case .opml: Self.outlineFault(in: bytes)
    case .newsboat: Self.newsboatFault(in: bytes)
    case .charset: Self.charsetFault(in: bytes)
    case .account: AccountPromises.fault(in: bytes)
    case .database: DatabasePromises.fault(in: bytes)
    case .folder: FolderPromises.fault(in: bytes)
    }
  }

  /// Checks that instants are read back as written, from the year 1000 on, because text that begins
  /// with a zero is not read as a year, except in years that mean the Buddhist era.
  private static func dateFault(in bytes: [UInt8]) -> String? {
    guard let date = bytes.withUnsafeBufferPointer({ DateParser.parse($0) }) else { return nil }
    guard date.timeIntervalSince1970.isFinite else { return "a date that is no number" }
    guard let text = DateParser.rfc3339(date), !text.hasPrefix("0"), !text.hasPrefix("25"),
      !text.hasPrefix("26")
    else { return nil }
    guard let again = DateParser.parse(text), DateParser.rfc3339(again) == text else {
      return "\(text) is not read as itself"
    }
    return nil
  }

  /// Checks that an export is imported unchanged, and that only web addresses are imported.
  private static func outlineFault(in bytes: [UInt8]) -> String? {
    guard let outline = try? OPML.parse(bytes) else { return nil }
    if let fault = listFault(outline.entries) { return fault }
    let document = OPML.document(title: outline.title ?? "", entries: outline.entries)
    guard let again = try? OPML.parse(Array(document.utf8)) else { return "the export is no OPML" }
    for (entry, other) in zip(outline.entries, again.entries) where entry != other {
      return "the export says \(other) instead of \(entry)"
    }
    if again.entries.count != outline.entries.count { return "the export has other entries" }
    return again.skipped.isEmpty ? nil : "the export is not taken whole: \(again.skipped)"
  }

  private static func newsboatFault(in bytes: [UInt8]) -> String? {
    guard let list = try? NewsboatURLs.parse(bytes) else { return nil }
    return listFault(list.entries)
  }

  private static func listFault(_ entries: [OutlineEntry]) -> String? {
    for entry in entries {
      if !WebAddress(entry.url).isHTTP { return "\(entry.url.debugDescription) came in" }
      for text in [entry.url, entry.title ?? ""] + entry.folder + entry.tags {
        if let fault = TextPromises.fault(inLine: text) { return fault }
      }
    }
    return nil
  }

  /// Reads the first line as a `Content-Type` and the rest as the document.
  private static func charsetFault(in bytes: [UInt8]) -> String? {
    let type = bytes.prefix { $0 != 0x0A }
    let document = Array(bytes.dropFirst(type.count + 1))
    let contentType = String(decoding: type, as: UTF8.self)
    for contentType in [contentType, nil] {
      let text = TextDecoding.utf8(document, contentType: contentType)
      if String(validating: text, as: UTF8.self) == nil { return "what was decoded is no UTF-8" }
      if text.count > document.count * 4 + 16 { return "decoding makes \(text.count) bytes" }
      _ = HTMLContent.announcedFeeds(in: document, contentType: contentType, url: "https://e.org/")
    }
    return nil
  }
}

/// Properties of every text that is shown.
enum TextPromises {
  /// Returns a fault unless a text is one line without control characters and direction overrides.
  static func fault(inLine text: String) -> String? {
    if text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      return "a control character in \(text.debugDescription)"
    }
    return fault(inText: text)
  }

  static func fault(inText text: String) -> String? {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x09, 0x0B..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F:
        return "U+\(String(scalar.value, radix: 16)) in \(text.prefix(200).debugDescription)"
      default: continue
      }
    }
    return nil
  }
}
