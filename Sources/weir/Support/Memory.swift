import CProcess

/// The memory of the process: how the C library allocates it, and who may read it.
enum Memory {
  /// Limits the arenas of the C library, and keeps passwords out of core files.
  ///
  /// By default each thread has an arena of its own, up to eight for each core. Memory that the
  /// network's thread allocates and the cache's thread frees then stays in one arena after another.
  /// With four, a first sync of 1,000 feeds takes 77 MB instead of 85, one of 100,000 articles 96
  /// instead of 104, and no more time; with two or three threads wait for each other.
  static func prepare() {
    weir_limit_arenas(4)
    weir_hide_memory()
  }
}
