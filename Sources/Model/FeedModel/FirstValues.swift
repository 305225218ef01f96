extension Dictionary {
  /// Creates a dictionary of pairs, of which the first counts if a key occurs more than once.
  package init(first pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}
