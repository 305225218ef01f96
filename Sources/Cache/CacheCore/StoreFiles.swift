package import Foundation

/// The files of the cache: their places, their protection from other users, and their replacement.
package enum StoreFiles {
  package static let name = "weir.db"
  /// Longest wait for another process that creates or migrates the cache, which takes a minute or
  /// two for two gigabytes.
  private static let longestWait = Duration.minutes(10)
  /// Seconds that a copy from before a migration is kept.
  private static let copyAge = Double.days(30)

  /// Creates the folder and the file if missing, accessible to the user alone whatever the umask,
  /// and throws for problems that SQLite would describe less clearly. SQLite gives `-wal` and
  /// `-shm` the mode of the main file.
  /// - Returns: the path of the database.
  package static func prepare(directory: String) throws(StoreError) -> String {
    let path = try place(in: directory)
    var status = stat()
    if stat(path, &status) == 0 {
      // The file is not opened here, because closing a second descriptor would drop the locks that
      // another store of this process holds on the file (fcntl(2), "Record locking").
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .cannotOpen(path: path, detail: .notARegularFile)
      }
      restrict(path, 0o600)
      guard access(path, R_OK | W_OK) == 0 else { throw .readOnly(path: path) }
      return path
    }
    do {
      try make(path)
    } catch .exists {
      return path
    }
    return path
  }

  /// Returns the path of the database in a writable folder, which is made if missing.
  package static func place(in directory: String) throws(StoreError) -> String {
    try makeDirectory(directory)
    // SQLite creates the write-ahead log beside the file.
    guard access(directory, W_OK) == 0 else { throw .readOnly(path: directory) }
    let path = (directory as NSString).appendingPathComponent(name)
    returnLog(to: path)
    return path
  }

  /// Removes access of other users to a file or folder that belongs to the user. The target of a
  /// link keeps its mode, because others may share it.
  static func restrict(_ path: String, _ mode: mode_t) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK,
      status.st_uid == geteuid(), status.st_mode & 0o777 & ~mode != 0
    else { return }
    _ = chmod(path, status.st_mode & mode)
  }

  /// Returns the mode of a data directory in which other users can replace files; `nil` if they
  /// cannot.
  package static func modeOpenToOthers(of directory: String) -> Int? {
    var status = stat()
    // In a folder with the sticky bit only the owner of a file can replace it.
    guard stat(directory, &status) == 0, status.st_mode & 0o022 != 0, status.st_mode & S_ISVTX == 0
    else { return nil }
    return Int(status.st_mode & 0o777)
  }

  /// Throws unless the path leads to a regular file: opening a pipe would wait for its writer.
  package static func requireRegularFile(_ path: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .cannotOpen(path: path, detail: .noSuchFile)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotOpen(path: path, detail: .notARegularFile)
    }
  }

  /// Makes an empty file that only the user can read; throws `.exists` if there is one.
  package static func make(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw errno == EEXIST ? .exists(path: path) : error(errno, path)
    }
    fchmod(descriptor, 0o600)
    close(descriptor)
  }

  /// Removes a database and the files that SQLite puts beside it.
  package static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Removes files that interrupted processes left in a folder: partial copies, which end in
  /// `.partial-PID`, with their logs, and texts that were not renamed, which end in `.weir-PID`.
  /// - Parameters:
  ///   - prefix: the beginning of the names of the complete files.
  ///   - isEnding: true if this process ends, so that its own files are removed too.
  package static func removeRemains(
    of prefix: String, in folder: String, at now: Date = Date(), isEnding: Bool = false
  ) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) {
      guard
        let match = name.firstMatch(
          of: /\.(?:partial|weir|restoring|salvaging)-(\d+)(?:-wal|-shm|-journal)?$/),
        let process = pid_t(match.1)
      else { continue }
      let path = (folder as NSString).appendingPathComponent(name)
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      // Another process may have the number of a process that has ended.
      let isOld = modified(status) < now.timeIntervalSince1970 - Double.days(1)
      let hasEnded = process == getpid() ? isEnding : kill(process, 0) != 0 && errno == ESRCH
      if isOld || hasEnded { unlink(path) }
    }
  }

  private static func modified(_ status: stat) -> Double {
    #if canImport(Darwin)
      Double(status.st_mtimespec.tv_sec)
    #else
      Double(status.st_mtim.tv_sec)
    #endif
  }

  /// Runs `body` while no other process or store does so with this file. The lock is on the folder,
  /// because a lock on the file would conflict with SQLite's. If the file system has no such locks,
  /// or another process holds the lock for too long, `body` runs without it.
  /// - Parameter waiting: called once if another process has the lock.
  package static func alone<Result>(
    with path: String, waiting: () -> Void = {}, _ body: () throws -> Result
  ) rethrows -> Result {
    let folder = FilePath.folder(of: path)
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { unlock(closing: descriptor) } }
    let deadline = ContinuousClock.now + longestWait
    func isTaken() -> Bool {
      flock(descriptor, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)
    }
    if isTaken() { waiting() }
    while isTaken(), ContinuousClock.now < deadline { usleep(5_000) }
    return try body()
  }

  /// Unlocks and closes a file. Closing alone leaves the lock to a child process that has a copy of
  /// the descriptor because it has not yet called `exec`.
  /// - Returns: false if closing reports a failed write.
  @discardableResult
  package static func unlock(closing descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_UN)
    return close(descriptor) == 0
  }

  package static func makeDirectory(_ directory: String) throws(StoreError) {
    var status = stat()
    if stat(directory, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw error(ENOTDIR, directory) }
      return
    }
    let parent = FilePath.folder(of: directory)
    if !parent.isEmpty, parent != directory { try makeDirectory(parent) }
    if mkdir(directory, 0o700) == 0 {
      _ = chmod(directory, 0o700)
    } else if errno != EEXIST {
      throw error(errno, directory)
    }
  }

  /// Returns the bytes of a file and of the log beside it.
  package static func size(of path: String) throws(StoreError) -> Int64 {
    var (file, log) = (stat(), stat())
    guard stat(path, &file) == 0 else { throw error(errno, path) }
    return Int64(file.st_size) + (stat(path + "-wal", &log) == 0 ? Int64(log.st_size) : 0)
  }

  /// Returns the bytes that the user may still write on the disk of a folder; `nil` if unknown.
  static func freeSpace(of folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }

  package static func error(_ code: CInt, _ path: String) -> StoreError {
    switch code {
    case EACCES, EROFS, EPERM: .readOnly(path: path)
    // A limit on the size of files has the same effect as a full disk.
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    default: .cannotOpen(path: path, detail: .said(String(cString: strerror(code))))
    }
  }

  // MARK: Replacing a file

  /// Device and inode of a file.
  struct Identity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Fails if there is no file.
    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }
  }

  static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let first = Identity(of: a) else { return false }
    return first == Identity(of: b)
  }

  /// Throws `.inUse` if another process has the database open. A connection in WAL mode has a
  /// shared lock on these bytes while it is open (sqlite.org/src/file/src/os.h, "SHARED_FIRST").
  /// Call it before a store is opened: it ignores and drops locks of this process.
  static func refuseWhileInUse(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return }
      throw error(errno, path)
    }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return }
    throw .inUse(process: lock.l_pid)
  }

  /// Renames a complete file atomically and fsyncs it.
  package static func name(_ partial: String, _ path: String, replacing: Bool) throws(StoreError) {
    try flush(partial)
    if replacing {
      guard rename(partial, path) == 0 else { throw error(errno, path) }
    } else if link(partial, path) != 0 {
      if errno == EEXIST { throw .exists(path: path) }
      // The file system has no hard links.
      guard access(path, F_OK) != 0 else { throw .exists(path: path) }
      guard rename(partial, path) == 0 else { throw error(errno, path) }
    }
    try? flush(FilePath.folder(of: path))
  }

  package static func flush(_ path: String) throws(StoreError) {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(errno, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw error(errno, path) }
  }

  /// Renames the cache and puts a database of one file in its place. If the file system has hard
  /// links, there is always a complete file at `place`.
  /// - Returns: the new path of the old file; `nil` if there was none.
  package static func put(
    _ fresh: String, inPlaceOf place: String, settingAsideAs reason: String, at now: Date
  ) throws(StoreError) -> String? {
    defer { unlink(fresh) }
    guard access(place, F_OK) == 0 else {
      try name(fresh, place, replacing: true)
      return nil
    }
    let aside = asidePath(of: place, reason, at: now)
    // The old file gets its second name before its log moves, so that `returnLog` recognises it.
    let hasTwoNames = link(place, aside) == 0
    // The log moves before the new file comes, because SQLite would apply it to that file.
    for suffix in ["-wal", "-shm"] where access(place + suffix, F_OK) == 0 {
      guard rename(place + suffix, aside + suffix) == 0 else { throw error(errno, aside) }
    }
    if !hasTwoNames {
      guard rename(place, aside) == 0 else { throw error(errno, aside) }
    }
    try name(fresh, place, replacing: true)
    return aside
  }

  /// Moves the log of the cache back beside it if a process was killed in `put` after it had moved
  /// the log: the cache still has its second name then.
  private static func returnLog(to place: String) {
    func isIncomplete() -> Bool {
      var status = stat()
      return stat(place, &status) == 0 && status.st_nlink > 1 && access(place + "-wal", F_OK) != 0
    }
    guard isIncomplete() else { return }
    // Another process may be in `put` at this moment.
    alone(with: place) {
      guard isIncomplete() else { return }
      let folder = FilePath.folder(of: place)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names where name.hasPrefix("weir-") && name.hasSuffix(".db-wal") {
        let aside = (folder as NSString).appendingPathComponent(String(name.dropLast(4)))
        guard isSameFile(aside, place), rename(aside + "-wal", place + "-wal") == 0 else {
          continue
        }
        remove(aside)
      }
    }
  }

  /// Returns a free path, such as `weir-before-restore-20261121-100000.db`, numbered if needed.
  static func asidePath(of place: String, _ reason: String, at now: Date) -> String {
    let folder = FilePath.folder(of: place) as NSString
    let stamp = now.formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)",
        timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    var number = 0
    while true {
      let suffix = number == 0 ? "" : "-\(number)"
      let path = folder.appendingPathComponent("weir-\(reason)-\(stamp)\(suffix).db")
      if access(path, F_OK) != 0 { return path }
      number += 1
    }
  }

  /// Removes copies that were made before migrations and are older than `copyAge`.
  package static func removeOldCopies(beside path: String, at now: Date) {
    let folder = FilePath.folder(of: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix("weir-schema-") && name.hasSuffix(".db") {
      let copy = (folder as NSString).appendingPathComponent(name)
      var status = stat()
      guard stat(copy, &status) == 0 else { continue }
      if modified(status) < now.timeIntervalSince1970 - copyAge { unlink(copy) }
    }
  }
}
