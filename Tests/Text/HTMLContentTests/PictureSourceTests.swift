@Suite("Pictures that scripts load") struct PictureSourceTests {
  private static let lateAttributes = [
    "data-src", "data-lazy-src", "data-original", "data-actualsrc", "data-lazyload", "data-lazy",
    "data-echo", "data-orig-src", "data-ezsrc", "data-cfsrc", "data-defer-src", "nitro-lazy-src",
    "data-pagespeed-lazy-src", "real_src", "data-flickity-lazyload", "data-lazy-image",
    "data-opt-src", "data-normal", "DATA-SRC",
  ]

  @Test(
    "The address for the script counts, not the picture until then",
    arguments: lateAttributes,
    ["/spinner.gif", "data:image/gif;base64,R0lG", "/static/blank.png", "/photo-20x20.jpg", ""])
  func lateSources(attribute: String, placeholder: String) throws {
    for html in [
      "<img src='\(placeholder)' \(attribute)='/real.jpg' alt=a>",
      "<img \(attribute)='/real.jpg' alt=a src='\(placeholder)' class=lazyload>",
    ] {
      #expect(
        HTMLContent.sanitise(html, baseURL: "https://e.org/").contains(
          "src=\"https://e.org/real.jpg\""),
        "\(html)")
      #expect(try fullText(html).contains("src=\"https://e.org/real.jpg\""), "\(html)")
    }
  }

  @Test(
    "Both readers choose the same picture",
    arguments: [
      "<img src=/real.jpg data-thumb-src=/thumb.jpg data-id=7 alt=a>",
      "<img src=/real.jpg data-orig-file=/huge.jpg alt=a>",
      "<img src=/blank.gif data-orig-file=/real.jpg alt=a>",
      "<img src=data:, data-lazy-srcset='/s.jpg 300w, /real.jpg 1024w' data-lazy-src=/w.jpg alt=a>",
      "<img src=/x.gif data-srcset='/real.jpg 1x, /b.jpg 2x' alt=a>",
      "<img srcset='/s.jpg 300w, /real.jpg 900w' src=/s.jpg alt=a>",
      "<img srcset='data:image/png;x 300w' src=/real.jpg alt=a>",
      "<img data-src='/x_{width}.jpg' src=/real.jpg alt=a>",
      "<picture><source data-srcset='/real.jpg 1000w'><img class=lazyload alt=a></picture>",
      "<picture><source srcset='/p.avif'><img data-src=/real.jpg alt=a></picture>",
      "<img src=/blank.gif alt=a><noscript><img src=/real.jpg alt=a></noscript>",
      "<noscript><img src=/real.jpg alt=a></noscript><img src=data:, alt=a data-src=/real.jpg>",
      "<a href=/x><img class=lazy data-src=/s.jpg alt=a></a><noscript><img src=/real.jpg alt=a></noscript>",
      "<amp-img src=/real.jpg alt=a></amp-img>",
    ])
  func chosenPicture(html: String) throws {
    for clean in [HTMLContent.sanitise(html, baseURL: "https://e.org/"), try fullText(html)] {
      guard !html.contains("amp-img") || clean.contains("<img") else { continue }
      let pictures = clean.components(separatedBy: "<img").dropFirst()
      #expect(pictures.count == 1, "\(clean)")
      #expect(pictures.first?.contains("src=\"https://e.org/real.jpg\"") == true, "\(clean)")
    }
  }

  @Test("A picture in noscript replaces only a picture that scripts complete")
  func noscriptPictures() {
    let other = "<img src=/a.jpg alt=a><noscript><img src=/b.jpg alt=b></noscript>"
    #expect(HTMLContent.sanitise(other).components(separatedBy: "<img").count == 3)
    let beacon =
      "<img data-src=/a.jpg alt=a><noscript><img height=1 width=1 src=/pixel.gif></noscript>"
    #expect(HTMLContent.sanitise(beacon) == "<img alt=\"a\" src=\"/a.jpg\">")
    let alone = "<p>x</p><noscript><p>y <img src=/a.jpg alt=a></p></noscript>"
    #expect(HTMLContent.sanitise(alone) == "<p>x</p><img src=\"/a.jpg\" alt=\"a\">")
    let pairs = ["1", "2"].map {
      "<noscript><img src=/\($0).jpg alt=\($0)></noscript><img data-src=/\($0).jpg alt=\($0)>"
    }
    #expect(HTMLContent.sanitise(pairs.joined()).components(separatedBy: "<img").count == 3)
    let copy =
      "<b aria-hidden=true><img data-src=/a.jpg alt=a></b><noscript><img src=/longer.jpg alt=a>"
      + "</noscript><math><mi>x</mi></math>"
    #expect(
      HTMLContent.sanitise(copy)
        == "<b><img src=\"/longer.jpg\" alt=\"a\"></b><math><mi>x</mi></math>")
  }

  @Test("A frame that scripts load becomes a link") func lateFrames() {
    let html = "<iframe src='about:blank' data-lazy-src='//video.example/1' title=Film></iframe>"
    #expect(
      HTMLContent.sanitise(html, baseURL: "https://e.org/")
        == "<a href=\"https://video.example/1\">Film</a>")
  }

  private func fullText(_ html: String) throws -> String {
    let words = "The lock keeper, who has lived here for years, opens the gate at six, then at ten."
    let text = String(repeating: "<p>\(words)</p>", count: 8)
    let page = "<html><body><article>\(text)<p>\(html)</p>\(text)</article></body></html>"
    let found = HTMLContent.mainContent(of: Array(page.utf8), url: "https://e.org/")
    return try #require(found).html
  }
}
