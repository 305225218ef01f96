import Foundation

/// The files of the shared folder. No file is ever rewritten, and below the folder no symbolic link
/// is followed.
package struct FolderFiles: Sendable {
  private static let markName = "weir-folder.json"
  /// The beginning of the names of files that are being written.
  private static let temporary = ".weir-"
  private static let format: Int64 = 1
  private static let longestMark = 4_096
  /// Names that are read of one directory.
  private static let mostNames = 100_000

  package let path: String

  package init(path: String) { self.path = path }

  private var devicesPath: String { path + "/devices" }
  private func path(of device: DeviceID) -> String { devicesPath + "/" + device.text }

  // MARK: The mark

  /// Returns the ID of the folder.
  package func mark() throws(FolderProblem) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == EACCES ? .unreadable : Self.problem(errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notFolder }
    guard let bytes = try read(path + "/" + Self.markName, limit: Self.longestMark) else {
      throw .noMark
    }
    guard let members = JSONValue(bytes)?.members, let format = members["format"]?.integer else {
      throw .incompleteMark
    }
    guard format == Self.format else { throw .otherFormat }
    guard let id = members["id"]?.text, id.utf8.count <= 64 else { throw .incompleteMark }
    return id
  }

  /// Returns the ID of the folder. Creates the folder and its mark if they are missing.
  package func makeMark() throws(FolderProblem) -> String {
    try makeDirectory(path)
    do {
      return try mark()
    } catch .noMark {
      // A folder with files of devices has lost its mark. A new mark would make it a different
      // folder.
      var status = stat()
      guard lstat(devicesPath, &status) != 0 else { throw .noMark }
      let id = DeviceID(rawValue: .random(in: 1...UInt64.max)).text
      let text = "{\"format\":\(Self.format),\"id\":\"\(id)\"}\n"
      try write(Array(text.utf8), to: Self.markName, in: path)
      return id
    }
  }

  // MARK: Reading

  package func devices() throws(FolderProblem) -> [DeviceID] {
    do {
      return try names(in: devicesPath) { DeviceID(text: $0) }.sorted()
    } catch .notFolder {
      throw .unreadable
    }
  }

  /// Returns the directories in which files of other devices appear.
  package func directories(except own: DeviceID) -> [String] {
    let others = (try? devices())?.filter { $0 != own }.prefix(Limits.devices) ?? []
    return [path, devicesPath] + others.map(path(of:))
  }

  /// Returns the files of a device, complete or not; none if the device has no directory. Of too
  /// many, returns the compacted and the newest ones.
  /// - Throws: `.notFolder` if something else has the place of the directory.
  package func files(of device: DeviceID) throws(FolderProblem) -> [SegmentName] {
    var files = try names(in: path(of: device)) { SegmentName($0) }
    if files.count > Limits.files {
      files.sort { a, b in
        a.isCompacted == b.isCompacted ? a.range.upperBound > b.range.upperBound : a.isCompacted
      }
      files.removeSubrange(Limits.files...)
    }
    return files.sorted {
      ($0.range.lowerBound, $0.range.upperBound, $0.hash)
        < ($1.range.lowerBound, $1.range.upperBound, $1.hash)
    }
  }

  /// Returns the bytes of a file, with one more than allowed if it is too large; `nil` if it is
  /// gone.
  package func bytes(
    of file: SegmentName, _ device: DeviceID
  ) throws(FolderProblem) -> [UInt8]? {
    let limit = file.isCompacted ? Limits.compacted : Limits.segment
    return try read(path(of: device) + "/" + file.text, limit: limit + 1)
  }

  /// Returns the kind, size, time and rights of a file as text, which a changed file and a reader
  /// of another format do not have.
  func state(of file: SegmentName, _ device: DeviceID) -> String {
    let path = path(of: device) + "/" + file.text
    let facts = (try? FileManager.default.attributesOfItem(atPath: path)) ?? [:]
    let written = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    let keys: [FileAttributeKey] = [.type, .systemFileNumber, .size, .posixPermissions]
    let values = keys.map { "\(facts[$0] ?? "")" }.joined(separator: " ")
    return "\(SegmentReader.format) \(values) \(written)"
  }

  private func names<Name>(
    in directory: String, _ parse: (String) -> Name?
  ) throws(FolderProblem) -> [Name] {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw errno == ENOTDIR || errno == ELOOP ? .notFolder : .unreadable
    }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw .unreadable
    }
    defer { closedir(stream) }
    var names: [Name] = []
    while names.count < Self.mostNames, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let parsed = parse(name) { names.append(parsed) }
    }
    return names
  }

  /// Returns the bytes of a regular file; `nil` if there is none.
  private func read(_ path: String, limit: Int) throws(FolderProblem) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP { return nil }
      throw .unreadable
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    do {
      return Array(try file.read(upToCount: min(max(0, Int(status.st_size)), limit)) ?? Data())
    } catch {
      throw .unreadable
    }
  }

  // MARK: Writing

  /// Writes a file of a device, complete under its name or not at all, also after a power cut.
  /// Removes what a killed program left. No other process may write for the device.
  package func write(
    _ bytes: [UInt8], to file: SegmentName, of device: DeviceID
  ) throws(FolderProblem) {
    try makeDirectory(devicesPath)
    try makeDirectory(path(of: device))
    for name in try names(in: path(of: device), { $0.hasPrefix(Self.temporary) ? $0 : nil }) {
      unlink(path(of: device) + "/" + name)
    }
    try write(bytes, to: file.text, in: path(of: device))
  }

  /// Removes a file that a compacted one has replaced.
  package func remove(_ file: SegmentName, of device: DeviceID) {
    unlink(path(of: device) + "/" + file.text)
  }

  private func makeDirectory(_ path: String) throws(FolderProblem) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.problem(errno) }
  }

  private func write(
    _ bytes: [UInt8], to name: String, in directory: String
  ) throws(FolderProblem) {
    // Nobody can occupy this name before.
    let number = DeviceID(rawValue: .random(in: 0...UInt64.max)).text
    let temporary = "\(directory)/\(Self.temporary)\(number).tmp"
    let target = directory + "/" + name
    if let failure = FileOutput.write(bytes, to: target, through: temporary, syncs: true) {
      throw Self.problem(failure)
    }
    // Some network file systems cannot do this.
    try? StoreFiles.flush(directory)
  }

  private static func problem(_ code: Int32) -> FolderProblem {
    switch code {
    case ENOSPC, EDQUOT: .full
    case ENOENT, ENOTDIR, ESTALE, ENOTCONN: .away
    default: .readOnly
    }
  }
}
