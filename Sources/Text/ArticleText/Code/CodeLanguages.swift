extension CodeLanguage {
  static let all: [CodeLanguage] = [
    CodeLanguage(
      "swift",
      """
      actor any as associatedtype async await borrowing break case catch class consuming continue \
      convenience default defer deinit do dynamic else enum extension fallthrough false fileprivate \
      final for func guard if import in indirect infix init inout internal is isolated lazy let macro \
      mutating nil nonisolated nonmutating open operator optional override postfix precedencegroup \
      prefix private protocol public repeat required rethrows return self Self sending set some static \
      struct subscript super switch throw throws true try typealias unowned var weak where while
      """, block: .nested,
      strings: [.tripleDouble, .init("#\"", "\"#", escapes: false), .double], wordMarks: "@"),
    CodeLanguage("c h", c, strings: [.double, .character], wordMarks: "#"),
    CodeLanguage(
      "cpp c++ cc cxx hpp arduino cuda",
      c + """
         alignas and auto bool catch char8_t class co_await co_return co_yield concept consteval \
        constexpr constinit decltype delete explicit export false final friend import module mutable \
        namespace new noexcept not nullptr operator or override private protected public requires \
        static_assert template this throw true try typename using virtual
        """, strings: [.double, .character], wordMarks: "#"),
    CodeLanguage(
      "objc objective-c objectivec",
      c
        + " BOOL id instancetype nil NO self super SEL YES @interface @implementation @end @property"
        + " @protocol @class @selector @autoreleasepool @import @synthesize",
      strings: [.double, .character], wordMarks: "#@"),
    CodeLanguage(
      "csharp cs c#",
      """
      abstract as async await base bool break byte case catch char class const continue decimal \
      default delegate do double else enum event explicit extern false finally fixed float for foreach \
      get if implicit in int interface internal is lock long namespace new null object operator out \
      override params private protected public readonly record ref return sbyte sealed set short sizeof \
      static string struct switch this throw true try typeof uint ulong unsafe ushort using var virtual \
      void volatile when where while yield
      """, strings: [.tripleDouble, .double, .character]),
    CodeLanguage(
      "java groovy",
      """
      abstract assert boolean break byte case catch char class const continue def default do double \
      else enum extends false final finally float for if implements import instanceof int interface long \
      native new null package permits private protected public record return sealed short static super \
      switch synchronized this throw throws transient true try var void volatile while yield
      """, strings: [.tripleDouble, .double, .character], wordMarks: "@"),
    CodeLanguage(
      "kotlin kt kts",
      """
      abstract as break by catch class companion const constructor continue crossinline data do else \
      enum expect external false final finally for fun get if import in infix init inline inner interface \
      internal is lateinit null object open operator out override package private protected public \
      reified return sealed set super suspend tailrec this throw true try typealias val var vararg when \
      where while
      """, block: .nested, strings: [.tripleDouble, .double, .character], wordMarks: "@"),
    CodeLanguage(
      "scala",
      """
      abstract case catch class def do else enum extends false final finally for given if \
      implicit import lazy match new null object override package private protected return sealed super then this \
      throw trait true try type using val var while with yield
      """, block: .nested, strings: [.tripleDouble, .double, .character], wordMarks: "@"),
    CodeLanguage(
      "dart",
      """
      abstract as assert async await break case catch class const continue default do dynamic else \
      enum export extends extension external factory false final finally for get if implements import in \
      interface is late library mixin new null on operator part required rethrow return sealed set \
      static super switch sync this throw true try typedef var void while with yield
      """, strings: [.tripleDouble, .tripleSingle, .double, .single], prefixes: "r"),
    CodeLanguage(
      "go golang",
      """
      any bool break byte case chan complex64 complex128 const continue default defer else error \
      fallthrough false float32 float64 for func go goto if import int int8 int16 int32 int64 interface \
      iota map nil package range return rune select string struct switch true type uint uint8 uint16 \
      uint32 uint64 uintptr var
      """, strings: [.rawBack, .double, .character]),
    CodeLanguage(
      "rust rs",
      """
      as async await box break const continue crate dyn else enum extern false fn for if impl in let \
      loop match mod move mut pub ref return self Self static struct super trait true type union unsafe \
      use where while yield bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize
      """, block: .nested,
      strings: [.init("r#\"", "\"#", escapes: false, isMultiline: true), .double, .character],
      prefixes: "b r br"),
    CodeLanguage(
      "zig",
      """
      align and anytype break catch comptime const continue defer else enum errdefer error export \
      extern false fn for if inline null opaque or orelse packed pub return struct switch test true try \
      undefined union unreachable usingnamespace var void volatile while
      """, block: nil, strings: [.double, .character], wordMarks: "@"),
    CodeLanguage(
      "javascript js jsx mjs node typescript ts tsx",
      """
      abstract any as async await boolean break case catch class const constructor continue debugger \
      declare default delete do else enum export extends false finally for from function get if \
      implements import in infer instanceof interface is keyof let namespace never new null number of \
      private protected public readonly return satisfies set static string super switch symbol this throw \
      true try type typeof undefined unknown var void while with yield
      """, strings: [.back, .double, .single], wordMarks: "$@"),
    CodeLanguage(
      "python py python3 pycon ipython ipython3 cython",
      """
      and as assert async await break case class continue def del elif else except False finally for \
      from global if import in is lambda match None nonlocal not or pass raise return self True try type \
      while with yield
      """, line: "#", block: nil, strings: [.tripleDouble, .tripleSingle, .double, .single],
      prefixes: "r f b u t R F B br rb fr rf Rb", wordMarks: "@", hasCommentsInWords: true),
    CodeLanguage(
      "ruby rb erb",
      """
      alias and attr_accessor attr_reader attr_writer begin BEGIN break case class def defined? do \
      else elsif end END ensure extend false for if in include loop module next nil not or private \
      protected public raise redo require require_relative rescue retry return self super then true \
      undef unless until when while yield
      """, line: "#", block: .init("=begin", "=end"), strings: [.double, .single, .init("`")],
      wordMarks: "@?"),
    CodeLanguage(
      "php",
      """
      abstract and array as break callable case catch class clone const continue declare default do \
      echo else elseif empty enddeclare endfor endforeach endif enum extends false final finally fn for \
      foreach function global if implements include instanceof interface isset list match namespace new \
      null or print private protected public readonly require require_once return static switch throw \
      trait true try unset use var while xor yield
      """, line: "// #", wordMarks: "$"),
    CodeLanguage(
      "perl pl",
      """
      and cmp continue do else elsif eq for foreach ge given gt if last le local lt my ne next no not \
      or our package print redo require return say sub unless until use when while
      """, line: "#", block: nil, wordMarks: "$@%"),
    CodeLanguage(
      "lua",
      """
      and break do else elseif end false for function goto if in local nil not or repeat return then \
      true until while
      """, line: "--", block: .init("--[[", "]]")),
    CodeLanguage(
      "bash sh shell zsh ksh fish",
      """
      break case continue declare do done elif else esac eval exec exit export fi for function if in \
      local readonly return select set shift source then trap unset until while
      """, line: "#", block: nil, strings: [.double, .rawSingle], wordMarks: "-$"),
    CodeLanguage(
      "powershell ps1",
      """
      begin break catch class continue do else elseif end enum exit filter finally for foreach function \
      if in param process return switch throw trap try until using while
      """, line: "#", block: .init("<#", "#>"), strings: [.double, .rawSingle], wordMarks: "-$",
      ignoresCase: true),
    CodeLanguage(
      "sql mysql postgresql pgsql plsql sqlite sqlite3 tsql",
      """
      add all alter and any as asc begin between bigint boolean by cascade case check collate column \
      commit conflict constraint create cross current database default delete desc distinct drop else end \
      except exists explain false foreign from full function group having if in index inner insert int \
      integer intersect into is join key left like limit not null numeric offset on or order outer over \
      partition pragma primary real recursive references replace returning right rollback row select set \
      table temp temporary text then timestamp to transaction trigger true union unique update using \
      vacuum values varchar view virtual when where window with without
      """, line: "--", strings: [.rawSingle, .rawDouble], ignoresCase: true),
    CodeLanguage(
      "haskell hs",
      """
      case class data default deriving do else family forall foreign if import in infix infixl infixr \
      instance let module newtype of qualified then type where
      """, line: "--", block: .init("{-", "-}", nests: true), strings: [.double, .character],
      wordMarks: "'"),
    CodeLanguage(
      "ocaml ml fsharp fs",
      """
      and as assert begin class constraint do done downto else end exception external false for fun \
      function functor if in include inherit initializer lazy let match method module mutable new object \
      of open or private rec sig struct then to true try type val virtual when while with yield
      """, line: "", block: .init("(*", "*)", nests: true), strings: [.double, .character]),
    CodeLanguage(
      "elixir ex exs",
      """
      after and alias case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else \
      end false fn for if import in nil not or quote raise receive require rescue true try unless unquote \
      use when with
      """, line: "#", block: nil, strings: [.tripleDouble, .double, .single], wordMarks: "@?"),
    CodeLanguage(
      "erlang erl",
      "after and andalso begin case catch cond div end fun if not of or orelse receive rem try when xor",
      line: "%", block: nil, strings: [.double, .single], hasCommentsInWords: true),
    CodeLanguage(
      "clojure clj cljs lisp common-lisp scheme racket elisp emacs-lisp",
      """
      and case catch cond def defmacro defmethod defmulti defn defn- defprotocol defrecord defun \
      defvar do fn for if if-let lambda let letfn loop nil not ns or quote recur require set! setq throw \
      true false try when when-let
      """, line: ";", block: nil, strings: [.init("\"", isMultiline: true)], wordMarks: "-!?*<>=/",
      hasCommentsInWords: true),
    CodeLanguage(
      "r",
      "break else FALSE for function if in Inf NA NaN next NULL repeat return TRUE while library",
      line: "#", block: nil, wordMarks: "."),
    CodeLanguage(
      "julia jl",
      """
      abstract begin break catch const continue do else elseif end export false finally for function \
      global if import in let local macro module mutable nothing quote return struct true try using \
      where while
      """, line: "#", block: .init("#=", "=#", nests: true),
      strings: [.tripleDouble, .double, .character], wordMarks: "@!"),
    CodeLanguage(
      "nix", "assert else false if in inherit let null or rec then true with", line: "#",
      strings: [.init("''", escapes: false, isMultiline: true), .double], wordMarks: "-"),
    CodeLanguage(
      "css scss sass less", "", line: "//", strings: [.double, .single], wordMarks: "-@"),
    CodeLanguage("json json5 jsonc", "true false null", strings: [.double]),
    CodeLanguage(
      "yaml yml", "true false null yes no on off", line: "#", block: nil,
      strings: [.double, .rawSingle], wordMarks: "-"),
    CodeLanguage(
      "toml ini cfg conf properties", "true false", line: "# ;", block: nil,
      strings: [.tripleDouble, .tripleSingle, .double, .rawSingle], wordMarks: "-"),
    CodeLanguage(
      "html xml svg xhtml rss atom vue", "", line: "", block: .init("<!--", "-->"),
      strings: [.rawDouble], wordMarks: "-"),
    CodeLanguage(
      "dockerfile docker",
      """
      FROM RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL \
      HEALTHCHECK SHELL AS
      """, line: "#", block: nil, wordMarks: "-"),
    CodeLanguage(
      "makefile make", "define else endef endif ifdef ifeq ifndef ifneq include override export",
      line: "#", block: nil, wordMarks: "-."),
  ]

  private static let c = """
    auto bool break case char const continue default do double else enum extern false float for goto \
    if inline int int8_t int16_t int32_t int64_t long NULL nullptr register restrict return short signed \
    size_t sizeof ssize_t static struct switch true typedef uint8_t uint16_t uint32_t uint64_t union \
    unsigned void volatile while #include #define #if #ifdef #ifndef #else #elif #endif #pragma #undef
    """
}
