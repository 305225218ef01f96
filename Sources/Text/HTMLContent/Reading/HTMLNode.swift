/// A node of a parsed HTML tree: elements in lower case, entities decoded.
public indirect enum HTMLNode: Sendable, Equatable {
  case text(String)
  case element(HTMLElement)
}

/// An element with its attributes, in the order of the document.
public struct HTMLElement: Sendable, Equatable {
  /// The name in lower case.
  public var name: String
  /// The attributes, with names in lower case; the first of equal names counts.
  public var attributes: [(name: String, value: String)]
  public var children: [HTMLNode]

  public init(
    name: String, attributes: [(name: String, value: String)] = [], children: [HTMLNode] = []
  ) {
    (self.name, self.attributes, self.children) = (name, attributes, children)
  }

  /// Returns the value of an attribute; `name` is in lower case.
  public subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Compares name, attributes in order, and children.
  public static func == (a: HTMLElement, b: HTMLElement) -> Bool {
    a.name == b.name && a.children == b.children
      && a.attributes.elementsEqual(b.attributes) { $0.name == $1.name && $0.value == $1.value }
  }
}
