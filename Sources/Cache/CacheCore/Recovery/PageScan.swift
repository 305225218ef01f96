/// Finds the rows of every table in the pages of a database, however damaged its trees are.
///
/// Walks the trees that the catalogue names from their roots. Pages that no tree reaches are
/// assigned by the file's pointer map (1.8), or else by the types of their records.
struct PageScan {
  /// The pages of a table or an index.
  struct Tree {
    let layout: TreeLayout
    /// Pages with records; those that a tree reaches come first.
    fileprivate(set) var pages: [Int] = []
    /// Number of unreadable pages and cells, and of pages that no tree reaches.
    fileprivate(set) var gaps = 0
  }

  let file: PageFile
  private(set) var trees: [String: Tree] = [:]
  private(set) var catalogue: [(type: String, name: String, sql: String, root: Int)] = []
  private var owners: [Int: String] = [:]
  private let hasMap: Bool

  /// - Parameters:
  ///   - known: layouts of this version by name, and the roots that they have in a new file.
  ///   - layouts: makes layouts from the statements of the file's own catalogue.
  init(
    _ file: PageFile, known: [String: (layout: TreeLayout, root: Int)],
    layouts: ([String]) throws -> [String: TreeLayout]
  ) rethrows {
    self.file = file
    hasMap = file.count > 1 && TreePage(file.page(2), number: 2) == nil
    readCatalogue()
    let own = try layouts(catalogue.map(\.sql))
    for entry in catalogue where entry.root > 1 {
      let isRead = known[entry.name] != nil || Takeover.former.contains(entry.name)
      if isRead, trees[entry.name] == nil, let layout = own[entry.name] ?? known[entry.name]?.layout
      {
        trees[entry.name] = Tree(layout: layout)
      }
      if owners[entry.root] == nil { walk(entry.root, entry.name) }
    }
    let isCatalogueDamaged = trees["sqlite_schema"].map { $0.gaps > 0 } ?? true
    for (name, entry) in known.sorted(by: { $0.key < $1.key }) where trees[name] == nil {
      trees[name] = Tree(layout: own[name] ?? entry.layout)
      // This tree has no entry in the catalogue. Perhaps the file is of an earlier version, which
      // lacks the tree. If the catalogue is damaged, its entry may be lost. The tree's root is then
      // on the same page as in a new file, because every file begins with the roots in order of
      // creation.
      if isCatalogueDamaged, owners[entry.root] == nil { walk(entry.root, name) }
    }
    assignOthers()
  }

  private mutating func readCatalogue() {
    trees["sqlite_schema"] = Tree(layout: .catalogue)
    if file.count > 0 { walk(1, "sqlite_schema") }
    for number in stride(from: 3, through: file.count, by: 1) where owners[number] == nil {
      guard isInUse(number), let page = TreePage(file.page(number), number: number),
        page.kind == .leafTable, let first = page.records().first ?? nil,
        first.types.count == 5, damage(in: page, of: .catalogue) == 0
      else { continue }
      var used: Set<Int> = []
      guard case .text(let type) = first.values(file, &used)[0],
        ["table", "index", "view", "trigger"].contains(type)
      else { continue }
      claim(number, "sqlite_schema")
    }
    var entries: [(type: String, name: String, sql: String, root: Int)] = []
    each("sqlite_schema") { _, values in
      guard values.count == 5, case .text(let type) = values[0], case .text(let name) = values[1]
      else { return }
      let root: Int64 = if case .integer(let number) = values[3] { number } else { 0 }
      let sql = if case .text(let sql) = values[4] { sql } else { "" }
      entries.append((type, name, sql, Int(clamping: root)))
    }
    catalogue = entries
  }

  // MARK: Trees

  /// Claims the pages of a tree. A tree without a layout belongs to another program.
  private mutating func walk(_ root: Int, _ name: String) {
    let layout = trees[name]?.layout
    var next = [root]
    while let number = next.popLast() {
      guard number >= 1, number <= file.count else {
        trees[name]?.gaps += 1
        continue
      }
      // A page belongs to the first tree that reaches it. This also ends cycles.
      guard owners[number] == nil else { continue }
      guard let page = TreePage(file.page(number), number: number),
        let damage = damage(in: page, of: layout)
      else {
        owners[number] = name
        trees[name]?.gaps += 1
        continue
      }
      claim(number, name)
      trees[name]?.gaps += damage
      next += page.children.reversed()
    }
  }

  /// Returns the number of unreadable cells of a page; `nil` if the page is not the tree's.
  private func damage(in page: TreePage, of layout: TreeLayout?) -> Int? {
    guard let layout else { return 0 }
    let isOfTable = page.kind == .leafTable || page.kind == .interiorTable
    guard isOfTable == layout.isKeyedByRowID else { return nil }
    let records = page.records()
    let misfits = records.count { record in record.map { !layout.fits($0) } ?? true }
    return misfits * 2 <= records.count ? misfits + page.brokenCells : nil
  }

  private mutating func claim(_ number: Int, _ name: String) {
    owners[number] = name
    trees[name]?.pages.append(number)
  }

  private mutating func assignOthers() {
    for number in stride(from: 3, through: file.count, by: 1) {
      guard owners[number] == nil, isInUse(number),
        let page = TreePage(file.page(number), number: number), !page.cells.isEmpty,
        page.kind != .interiorTable
      else { continue }
      guard let name = mappedOwner(of: number, page) ?? likelyOwner(of: page) else { continue }
      claim(number, name)
      trees[name]?.gaps += 1
    }
  }

  /// Follows the map from a page to its root.
  private func mappedOwner(of number: Int, _ page: TreePage) -> String? {
    var place = number
    for _ in 0..<20 {
      guard let entry = mapEntry(of: place), entry.kind == 5 else { return nil }
      place = entry.parent
      guard let name = owners[place] else { continue }
      guard let layout = trees[name]?.layout, damage(in: page, of: layout) != nil else {
        return nil
      }
      return name
    }
    return nil
  }

  /// Finds the tree whose columns fit the records of a page best; `nil` if two fit equally.
  private func likelyOwner(of page: TreePage) -> String? {
    let records = page.records().compactMap(\.self)
    guard records.count * 2 > page.cells.count, let first = records.first else { return nil }
    var best: (name: String, missing: Int)?
    var isAmbiguous = false
    for (name, tree) in trees where name != "sqlite_schema" {
      guard tree.layout.isKeyedByRowID == (page.kind == .leafTable),
        records.allSatisfy(tree.layout.fits)
      else { continue }
      let missing = tree.layout.columns.count - first.types.count
      if missing == best?.missing { isAmbiguous = true }
      if missing < best?.missing ?? .max { (best, isAmbiguous) = ((name, missing), false) }
    }
    return isAmbiguous ? nil : best?.name
  }

  /// Reads the map entry of a page: 1 root, 2 free, 3 and 4 overflow, 5 below another page.
  private func mapEntry(of number: Int) -> (kind: UInt8, parent: Int)? {
    guard hasMap, number > 2 else { return nil }
    let group = file.pageSize / 5 + 1
    let map = (number - 2) / group * group + 2
    guard map != number else { return nil }
    let page = file.page(map)
    let offset = 5 * (number - map - 1)
    guard offset + 5 <= page.count, 1...5 ~= page[offset] else { return nil }
    let parent = page.number(at: offset + 1, bytes: 4)
    return parent <= file.count ? (page[offset], parent) : nil
  }

  /// Returns `false` for free and overflow pages. A free page may have deleted rows.
  private func isInUse(_ number: Int) -> Bool {
    guard let entry = mapEntry(of: number) else { return true }
    return entry.kind == 1 || entry.kind == 5
  }

  // MARK: Rows

  /// Passes every row of a table or index to `body`, with its row key. Unreadable values are `nil`.
  func each(_ name: String, _ body: (Int64, [StoredValue?]) throws -> Void) rethrows {
    guard let tree = trees[name] else { return }
    var used: Set<Int> = []
    for number in tree.pages {
      guard let page = TreePage(file.page(number), number: number) else { continue }
      for case let record? in page.records() where tree.layout.fits(record) {
        try body(record.rowID, record.values(file, &used))
      }
    }
  }
}
