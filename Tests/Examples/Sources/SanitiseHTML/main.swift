// Removes everything from HTML that a program should not show, and prints the rest, then its text.
//
//     swift run SanitiseHTML page.html https://example.org/

import Foundation
import HTMLContent

guard CommandLine.arguments.count > 1 else {
  print("usage: SanitiseHTML FILE [ADDRESS]")
  exit(64)
}
let html = try String(contentsOf: URL(filePath: CommandLine.arguments[1]), encoding: .utf8)

// Only allowed elements, attributes and schemes remain; links are absolute.
let clean = HTMLContent.sanitise(html, baseURL: CommandLine.arguments.dropFirst(2).first)
print(clean)
print("Text: \(HTMLContent.plainText(clean))")

// The tree of elements, for a program that shows them itself.
func links(in nodes: [HTMLNode]) -> [String] {
  nodes.flatMap { node -> [String] in
    guard case .element(let element) = node else { return [] }
    let own = element.name == "a" ? element["href"] : nil
    return (own.map { [$0] } ?? []) + links(in: element.children)
  }
}
for link in links(in: HTMLContent.parse(clean)) { print("Link: \(link)") }
