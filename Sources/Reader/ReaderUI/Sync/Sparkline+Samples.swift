import FeedModel
import Foundation
import TerminalViews

extension Sparkline {
  /// Returns the mean of the samples in each second, up to the newest one.
  static func seconds(
    _ samples: [NetworkSample], columns: Int, _ value: (NetworkSample) -> Double?
  ) -> [Double?] {
    guard columns > 0, let last = samples.last else { return [] }
    let end = last.at.timeIntervalSince1970.rounded(.down)
    var sums = [(sum: Double, count: Double)](repeating: (0, 0), count: columns)
    for sample in samples {
      let age = end - sample.at.timeIntervalSince1970.rounded(.down)
      guard age >= 0, age < Double(columns), let value = value(sample) else { continue }
      let column = columns - 1 - Int(age)
      sums[column].sum += value
      sums[column].count += 1
    }
    return sums.map { $0.count > 0 ? $0.sum / $0.count : nil }
  }
}
