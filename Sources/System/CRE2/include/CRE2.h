// Functions of RE2 for C and Swift. Only CRE2.cpp includes <re2/re2.h>.
// https://github.com/google/re2/blob/2022-06-01/re2/re2.h
#ifndef WEIR_CRE2_H
#define WEIR_CRE2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern. Any number of threads may match with it at the same time.
typedef struct weir_re2 weir_re2;

/// Reasons why a pattern does not compile. RE2's own numbers differ between versions.
enum {
  weir_re2_other = 1,
  weir_re2_escape = 2,
  weir_re2_range = 3,
  weir_re2_bracket = 4,
  weir_re2_parenthesis = 5,
  weir_re2_repetition = 6,
  weir_re2_group = 7,
  weir_re2_encoding = 8,
  weir_re2_size = 9
};

/// Compiles a UTF-8 pattern that ignores case, unless it says otherwise (`(?-i)`).
/// - Parameters:
///   - memory: limit of the pattern and its automata, in bytes.
///   - program: limit of its instructions.
///   - code: set to the reason of a failure, else to 0.
///   - offset: set to the failure's place in the pattern, in bytes; -1 if RE2 does not name it.
/// - Returns: NULL if the pattern does not compile.
weir_re2 *weir_re2_compile(
    const char *pattern, size_t length, int64_t memory, int program, int *code, int64_t *offset);
void weir_re2_free(weir_re2 *pattern);

/// Returns 1 if the pattern matches anywhere in the text, else 0. Linear in the length of the text,
/// which may be NULL if the length is 0.
int weir_re2_matches(const weir_re2 *pattern, const char *text, size_t length);

/// Finds the leftmost match that begins at `start` or later, in bytes of the text.
/// - Returns: 0 if there is none.
int weir_re2_find(
    const weir_re2 *pattern, const char *text, size_t length, size_t start, size_t *from,
    size_t *to);

/// Patterns that are searched for together, in one pass over a text. Any number of threads may
/// match with it at the same time.
typedef struct weir_re2_set weir_re2_set;

/// - Parameter memory: limit of the patterns and their automaton, in bytes.
weir_re2_set *weir_re2_set_new(int64_t memory);
/// Adds a pattern with the syntax of `weir_re2_compile`. The first has the number 0.
/// - Returns: 0 if it cannot be added.
int weir_re2_set_add(weir_re2_set *set, const char *pattern, size_t length);
/// Compiles the patterns; call it once, after the last `weir_re2_set_add`.
/// - Returns: 0 if the patterns do not fit into the memory.
int weir_re2_set_compile(weir_re2_set *set);
void weir_re2_set_free(weir_re2_set *set);

/// Calls `found` with the number of each pattern that matches anywhere in the text.
/// - Returns: 0 if the automaton does not fit into the memory; the result is then unknown.
int weir_re2_set_match(
    const weir_re2_set *set, const char *text, size_t length, void *context,
    void (*found)(void *context, int number));

#ifdef __cplusplus
}
#endif

#endif
