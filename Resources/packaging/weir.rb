# Homebrew formula. Untested: needs a Mac with Homebrew and Xcode 26 or newer.
class Weir < Formula
  desc "Feed reader for the terminal"
  homepage "https://github.com/weir-reader/weir"
  url "https://github.com/weir-reader/weir.git", tag: "v0.1.0"
  license "MIT"
  head "https://github.com/weir-reader/weir.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "xxhash" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "curl"
  depends_on "libpsl"
  depends_on "ncurses"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "weir"
    bin.install ".build/release/weir"
    man1.install "Resources/weir.1"
    generate_completions_from_executable(bin/"weir", "--generate-completion-script")
  end

  test do
    (testpath/"feed.xml").write "<rss><channel><title>T</title><item><title>A</title></item></channel></rss>"
    assert_match "\"title\":\"A\"", shell_output("#{bin}/weir parse feed.xml")
  end
end
