import Foundation

/// A chart of small panels beside each other, as SVG. Its colours are readable on white and on
/// black.
struct Chart {
  /// One quantity, each on a scale of its own that begins at zero.
  struct Panel {
    /// The name of the quantity with its unit.
    var title: String
    /// In the order of the chart's labels; `nil` where nothing was measured.
    var values: [Double?]

    /// Makes a panel of a quantity and its values.
    init(_ title: String, _ values: [Double?]) {
      self.title = title
      self.values = values
    }
  }

  /// The form of the values.
  enum Form {
    /// One bar in each row, for values of different things.
    case bars
    /// One line through all values, for a quantity that grows.
    case line
  }

  /// The description for people who do not see the chart.
  var title: String
  var form: Form
  /// Names of the rows of bars, or of the points of a line from left to right.
  var labels: [String]
  var panels: [Panel]
  /// Labels that are drawn in the accent colour.
  var emphasis: Set<String>

  /// Makes a chart.
  init(
    _ title: String, _ form: Form, labels: [String], panels: [Panel], emphasis: Set<String> = []
  ) {
    self.title = title
    self.form = form
    self.labels = labels
    self.panels = panels
    self.emphasis = emphasis
  }

  private static let width = 760.0
  private static let row = 22.0
  private static let head = 30.0
  /// Pixels for a character of a label, about.
  private static let character = 6.7
  private static let plotHeight = 110.0
  private static let gap = 18.0
  /// Pixels for the value behind the longest bar.
  private static let valueWidth = 52.0

  private static let text = "#6e7781"
  private static let plain = "#8c959f"
  private static let accent = "#2188ff"

  /// The SVG document.
  var svg: String {
    let height =
      switch form {
      case .bars: Self.head + Double(labels.count) * Self.row + 6
      case .line: Self.head + Self.plotHeight + 34
      }
    let parts = form == .bars ? bars : lines
    let size = "\(Self.format(Self.width)) \(Self.format(height))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img" \
      font-family="system-ui, sans-serif" font-size="12" fill="\(Self.text)">
      <title>\(Self.escaped(title))</title>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  private var labelWidth: Double {
    Double(labels.map(\.count).max() ?? 0) * Self.character + 16
  }

  private var bars: [String] {
    var parts = labels.enumerated().map { index, label in
      Self.text(
        label, x: labelWidth - 10, y: y(of: index), anchor: "end",
        color: emphasis.contains(label) ? Self.accent : Self.text)
    }
    let width = (Self.width - labelWidth) / Double(max(1, panels.count))
    for (place, panel) in panels.enumerated() {
      let x = labelWidth + Double(place) * width
      parts.append(Self.text(panel.title, x: x, y: 16))
      let most = panel.values.compactMap { $0 }.max() ?? 1
      let full = width - Self.gap - Self.valueWidth
      for (index, value) in panel.values.enumerated() {
        guard let value else {
          parts.append(Self.text("–", x: x, y: y(of: index)))
          continue
        }
        let length = most > 0 ? max(1, full * value / most) : 1
        let color = emphasis.contains(labels[index]) ? Self.accent : Self.plain
        let top = Self.head + Double(index) * Self.row + 4
        parts.append(
          "<rect x=\"\(Self.format(x))\" y=\"\(Self.format(top))\" width=\"\(Self.format(length))\" "
            + "height=\"14\" rx=\"2\" fill=\"\(color)\"/>")
        parts.append(Self.text(Self.number(value), x: x + length + 6, y: y(of: index)))
      }
    }
    return parts
  }

  private func y(of index: Int) -> Double { Self.head + Double(index) * Self.row + 15 }

  private var lines: [String] {
    let width = Self.width / Double(max(1, panels.count))
    let bottom = Self.head + Self.plotHeight
    return panels.enumerated().flatMap { place, panel in
      let left = Double(place) * width + 24
      let step = (width - Self.gap - 40) / Double(max(1, labels.count - 1))
      let most = panel.values.compactMap { $0 }.max() ?? 1
      var parts = [
        Self.text(panel.title, x: left, y: 16),
        "<path d=\"M\(Self.format(left)) \(Self.format(bottom))h\(Self.format(step * Double(labels.count - 1)))\" "
          + "stroke=\"\(Self.plain)\" stroke-width=\"0.5\"/>",
      ]
      var points: [String] = []
      for (index, value) in panel.values.enumerated() {
        let x = left + Double(index) * step
        parts.append(Self.text(labels[index], x: x, y: bottom + 18, anchor: "middle"))
        guard let value else { continue }
        let y = bottom - (most > 0 ? (Self.plotHeight - 20) * value / most : 0)
        points.append("\(Self.format(x)) \(Self.format(y))")
        parts.append(
          "<circle cx=\"\(Self.format(x))\" cy=\"\(Self.format(y))\" r=\"3\" fill=\"\(Self.accent)\"/>"
        )
        parts.append(Self.text(Self.number(value), x: x, y: y - 8, anchor: "middle"))
      }
      let path = points.joined(separator: "L")
      parts.append(
        "<path d=\"M\(path)\" fill=\"none\" stroke=\"\(Self.accent)\" stroke-width=\"1.5\"/>")
      return parts
    }
  }

  private static func text(
    _ text: String, x: Double, y: Double, anchor: String = "start", color: String? = nil
  ) -> String {
    let fill = color.map { " fill=\"\($0)\"" } ?? ""
    let place = "x=\"\(format(x))\" y=\"\(format(y))\""
    return "<text \(place) text-anchor=\"\(anchor)\"\(fill)>\(escaped(text))</text>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("`", with: "")
  }

  /// Coordinates have one digit after the point, so that a file changes only with its table.
  private static func format(_ number: Double) -> String {
    let tenths = (number * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0
      ? String(Int(tenths / 10)) : String(tenths / 10)
  }

  /// Values as the tables have them.
  private static func number(_ value: Double) -> String {
    value >= 1_000
      ? Int(value).formatted(.number.locale(Locale(identifier: "en_GB")))
      : value.rounded() == value ? String(Int(value)) : String(value)
  }
}
