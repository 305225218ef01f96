// Lays an article out as text of 80 columns, with its links below.
//
//     swift run RenderArticle article.html https://example.org/article

import ArticleText
import Foundation
import HTMLContent

guard CommandLine.arguments.count > 1 else {
  print("usage: RenderArticle FILE [ADDRESS]")
  exit(64)
}
let html = try String(contentsOf: URL(filePath: CommandLine.arguments[1]), encoding: .utf8)
let address = CommandLine.arguments.dropFirst(2).first

let body = ArticleBody(html: HTMLContent.sanitise(html, baseURL: address), address: address)
// A large article can be laid out in steps; this lays out all of it at once.
var layout = body.incrementalLayout(width: 80)
for line in layout.advance(by: .max) {
  // Each run has a meaning, such as a link or code, to which a program gives a style.
  let text = line.runs.map { $0.style.contains(.heading) ? $0.text.uppercased() : $0.text }
  print(text.joined())
}
print("")
for (index, link) in layout.links.enumerated() { print("[\(index + 1)] \(link)") }
