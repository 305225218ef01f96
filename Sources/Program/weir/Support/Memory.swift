import CProcess

/// The memory of the process: its allocation, and protection against other processes.
enum Memory {
  /// Limits the arenas of the C library, and keeps passwords out of core files.
  ///
  /// By default each thread has an arena, up to eight per core, and an arena keeps memory freed by
  /// other threads. With four arenas, a first sync of 1,000 feeds needs 77 MB instead of 85
  /// MB, and one of 100,000 articles 96 MB instead of 104 MB, in the same time. With two or three
  /// arenas, threads block each other.
  static func prepare() {
    weir_limit_arenas(4)
    weir_hide_memory()
  }
}
