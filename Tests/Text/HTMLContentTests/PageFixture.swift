@testable import HTMLContent

/// Pages of different kinds, with texts that must be found and texts that must not.
struct PageFixture: Sendable, CustomTestStringConvertible {
  var file: String
  var title: String
  /// The beginning of the text; `last` is its end.
  var first: String
  var last: String
  var holds: [String] = []
  var lacks: [String] = []
  /// Parts of the HTML that the text does not show.
  var markup: [String] = []
  var testDescription: String { file }

  static func page(_ file: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages")
    return [UInt8](try Data(contentsOf: folder.appending(path: file + ".html")))
  }

  static let articles = [
    PageFixture(
      file: "wordpress", title: "Why the mill pond froze first",
      first: "Every January the mill pond closes", last: "and the ducks moved to the weir.",
      holds: [
        "The pond at dawn, eleven below.", "What the thermometer said", "One metre: 3.1 °C",
        "Ice is a lid",
      ],
      lacks: [
        "Skip to content", "Ruth Hale", "Share this", "frost fair", "Tagged", "ferryman",
        "wind plays a part", "Leave a Reply", "Proudly powered", "Walks",
      ],
      markup: [
        "<img src=\"https://site.example/wp-content/uploads/pond.jpg\" alt=\"The pond at dawn\">",
        "<a href=\"https://site.example/2025/the-long-frost/\">", "<figcaption>", "<blockquote>",
      ]),
    PageFixture(
      file: "newsletter", title: "The case for slow mail",
      first: "A reply that takes a week is not late.", last: "I will answer on Sunday.",
      holds: ["turn off the badge", "The objection", "sounded urgent", "tidied for the picture"],
      lacks: [
        "Join four thousand", "Member discussion", "Wonderful as always", "How to trim a lamp",
        "6 min read", "Powered by Ghost", "Archive",
      ],
      markup: [
        "href=\"#fn1\"", "id=\"fn1\"", "https://site.example/content/images/size/w2000/desk.jpg",
      ]),
    PageFixture(
      file: "news", title: "Harbour reopens after storm, with one crane fewer",
      first: "Ferries run again from Thursday", last: "unloaded on Friday night.",
      holds: [
        "Nobody was hurt", "optimistic", "Freight waits", "The crane lies across quay three",
      ],
      lacks: [
        "partners", "Advertisement", "Jo Marsh", "Copy link", "Storm warning lifted",
        "The Morning Tide", "The baker who", "Opinion", "Registered office", "Most read",
      ],
      markup: ["https://site.example/img/crane-1600.webp"]),
    PageFixture(
      file: "documentation", title: "Queues",
      first: "A queue holds jobs until a worker takes them.",
      last: "Close the queue and open it again instead.",
      holds: [
        "const q = open(\"mail\"", "// jobs beyond the limit wait outside",
        "A limit of zero means no limit", "How many jobs are held in memory", "Creating a queue",
      ],
      lacks: [
        "Edit this page", "Introduction", "Previous: Jobs", "Copy", "Guides", "#", "On this",
      ],
      markup: ["<table>", "<pre>", "<th>Option</th>"]),
    PageFixture(
      file: "tables", title: "How I restored a 1961 valve radio",
      first: "I found the set in a barn near Växjö", last: "the shipping forecast.",
      holds: ["paper capacitor", "The chassis before cleaning.", "EL84"],
      lacks: ["Guestbook", "visitor number", "List of sites", "Bertil's Workshop"],
      markup: ["https://site.example/dir/pics/chassis.jpg"]),
    PageFixture(
      file: "divs", title: "Bread without a clock", first: "Most recipes tell you how long",
      last: "you will never set a timer again.", holds: ["wet finger", "ninety minutes"],
      lacks: ["Rye, patiently", "Tools and books", "paid for by nobody", "You may also"],
      markup: ["src=\"https://site.example/img/dent.jpg\""]),
    PageFixture(
      file: "german", title: "Der letzte Fährmann geht an Land",
      first: "Nach 41 Jahren übergibt", last: "und zurück geht er zu Fuß.",
      holds: ["Eine Brücke fährt nicht", "Was bleibt", "nur den Anker"],
      lacks: ["Cookies", "Anzeige", "Karin Voß", "Mastodon", "teurer", "Schade", "Impressum"]),
    PageFixture(
      file: "japanese", title: "雨の日の図書館", first: "雨の日の図書館が好きだ。", last: "足もとで、水の音がした。",
      holds: ["司書の田中さん", "暗渠"], lacks: ["シェア", "橋の名前", "春の市場", "編集部", "記事一覧"]),
    PageFixture(
      file: "code", title: "Counting words without counting spaces",
      first: "A word counter looks trivial.", last: "most of them comments.",
      holds: ["def count(text):", "# naive, and slow", "p < end", "/* a word begins */", "1.02 s"],
      lacks: ["no nonsense", "rss", "1\n2\n3"], markup: ["<pre>", "<code>split</code>"]),
    PageFixture(
      file: "lazy", title: "Seven doors in Lisbon", first: "You can see a city by its doors",
      last: "a list of addresses.", holds: ["polished daily", "which is cheating"],
      markup: [
        "https://cdn.example/walks/doors/1.jpg", "https://cdn.example/walks/doors/2.jpg",
        "https://cdn.example/walks/doors/3-800.jpg", "https://cdn.example/map/#doors",
      ]),
    PageFixture(
      file: "wiki", title: "Lock keeper", first: "Lock keeper", last: "Inland Waters, 1911, p. 40.",
      holds: [
        "A lock keeper looks after", "on duty at all hours", "cottage by the weir", "Sluice",
      ],
      lacks: [
        "yearly appeal", "[edit]", "edit", "Contents", "needs more citations", "Random article",
        "last edited", "Occupations", "the open encyclopedia",
      ]),
    PageFixture(
      file: "mailinglist", title: "[weir-users] A list that does not jump", first: "Hello all,",
      last: "-- Mara",
      holds: ["it has not jumped once", "1000       8210       0", "> Does it hold"],
      lacks: ["Dvorak", "More information", "sorted by"]),
    PageFixture(
      file: "forum", title: "Descaling a brass kettle", first: "My kettle is brass",
      last: "Thank you!", holds: ["the acid took the zinc", "a wooden spoon"],
      lacks: ["Log in", "Whistles", "Suggested"]),
    PageFixture(
      file: "medium", title: "What the lighthouse keeper counted",
      first: "For thirty-one years Joaquim", last: "northbound, waving.",
      holds: [
        "whether they had waved", "The fourth column", "A page of the log", "forty metres up",
      ],
      lacks: ["Sign in", "min read", "Follow", "Written by", "forger", "214", "History"],
      markup: ["https://img.example/max/1400/log.jpeg"]),
    PageFixture(
      file: "blogger", title: "Grafting a pear onto a quince", first: "Quince makes a small tree",
      last: "you may eat one.", holds: ["A sharp knife matters", "three buds on the scion"],
      lacks: ["Tess", "BlogThis", "rootstock", "Archive", "Newer", "Sunday"],
      markup: ["https://img.example/graft.jpg", "<ol>"]),
    PageFixture(
      file: "form-wrapped", title: "Notice 14/2026: low water on the upper reach",
      first: "Because of the dry spring", last: "low water or not.",
      holds: ["in convoys", "First convoy", "07:00"], lacks: ["Lock Lane", "opening times"],
      markup: ["<table>"]),
    PageFixture(
      file: "question", title: "Why does WAL grow without bound?",
      first: "My write-ahead log grows", last: "reused from its beginning.",
      holds: ["wal_checkpoint(TRUNCATE)", "The reader does."],
      lacks: ["Ask Question", "Related", "all rights", "41", "How large may a page"],
      markup: ["<pre>"]),
    PageFixture(
      file: "chinese", title: "老船闸的守夜人", first: "每天晚上九点", last: "他只想留下那盏灯。", holds: ["水是有脾气的"],
      lacks: ["林舟", "分享", "四十年", "市集", "版权"], markup: ["https://site.example/pic/zha.jpg"]),
    PageFixture(
      file: "unhinted", title: "Salt", first: "We boiled the sea", last: "a husband.",
      holds: ["which is the magnesium"], lacks: ["anna", "enamel", "Tagged", "everything"]),
    PageFixture(
      file: "recipe", title: "Plum cake for wet days", first: "When it has rained for three days",
      last: "if there is one.",
      holds: [
        "1 kg plums, halved", "2 eggs", "one after the other", "Split plums are the sweetest.",
      ],
      lacks: ["Jump to", "Print", "Greta", "Filed", "31 votes", "Quince", "apricots", "About me"],
      markup: ["<ol>", "<ul>", "<h3>Ingredients</h3>", "<figcaption>"]),
    PageFixture(
      file: "liveblog", title: "Flood watch: the river passes its peak",
      first: "Bridge opens again", last: "the ferry does not run.",
      holds: ["from tomorrow morning", "4.31 metres", "School stays closed", "Peak at noon"],
      lacks: ["Share", "Most read", "dyke", "©"]),
    PageFixture(
      file: "release", title: "Release Sluice 2.4.0 · lockworks/sluice", first: "Highlights",
      last: "a minute for each gate.",
      holds: [
        "start together", "sluice open --both north", "half open at a restart", "Stop the pumps",
      ],
      lacks: ["Product", "Issues", "Terms", "Label"],
      markup: ["<pre>", "https://site.example/lockworks/sluice/pull/812"]),
    PageFixture(
      file: "mastodon", title: "Ines (@ines@birds.example)", first: "I counted the swifts again",
      last: "where they slept.", holds: ["write down the hour"],
      lacks: ["JavaScript", "Explore", "Web", "2 August"]),
    PageFixture(
      file: "arabic", title: "حارس المنارة الأخير", first: "كل مساء يصعد سالم",
      last: "ثم يغلق الباب.", holds: ["من يترك الضوء وحده"],
      lacks: ["ليلى حداد", "مشاركة", "السوق القديم", "الرئيسية"]),
    PageFixture(
      file: "thai", title: "คนเฝ้าประตูน้ำคนสุดท้าย", first: "ทุกเช้าตอนหกโมง",
      last: "ดวงเดียวก็พอ", holds: ["ประตูน้ำเก่าในหน้าฝน", "น้ำมีนิสัยของมันเอง"],
      lacks: ["หน้าแรก", "แชร์", "สมชาย", "ตลาดน้ำ", "สงวนลิขสิทธิ์"],
      markup: ["https://site.example/img/sluice.jpg"]),
    PageFixture(
      file: "wordpress-blocks", title: "A kettle for every stove",
      first: "A kettle is a promise", last: "With the door of the stove shut. ↩︎",
      holds: [
        "The enamel one, on gas.", "it can be repaired", "My aunt", "Copper, if you never do.",
      ],
      lacks: [
        "Skip to", "Ana Ferro", "March 4", "Three spoons", "Piet", "Ladles", "Designed with",
      ],
      markup: [
        "<h2 id=\"h-gas\">Gas</h2>", "<figcaption>", "<th>Stove</th>", "<blockquote>", "<ul><li>",
        "href=\"#a1\"", "<li id=\"a1\">", "https://site.example/wp-content/uploads/kettle",
      ]),
    PageFixture(
      file: "substack", title: "The harbour has no clock", first: "Tides keep the time",
      last: "About a metre and a half of it.",
      holds: ["The patch, facing south.", "They count barnacles", "What the children do"],
      lacks: ["Lena Orr", "41", "Share", "Low Water is free", "Bo", "painted over", "net that"],
      markup: [
        "id=\"footnote-1\"", "href=\"#footnote-1\"", "<h2>", "<figcaption>",
        "https://cdn.example/image/fetch/w_1456/quay.jpeg",
      ]),
    PageFixture(
      file: "squarespace", title: "Repairing a cane chair — Hollis Workshop",
      first: "A cane seat fails", last: "230 m for one seat",
      holds: ["The front rail, before.", "Side to side, over both."],
      lacks: ["14 May", "Written By", "Letters from the bench", "Iris", "Glue that", "Maltings"],
      markup: ["<ol><li>", "<h3>", "<pre>", "https://images.example/content/rail.jpg"]),
    PageFixture(
      file: "drupal", title: "New moorings at the upper basin", first: "From the first of July",
      last: "not allowed to have a boat.", holds: ["How to apply", "how deep", "Power and water"],
      lacks: ["Skip to", "Submitted by", "Tags", "Log in", "In other news", "swans", "Contact"],
      markup: ["<h2>", "<ul><li>", "https://site.example/sites/default/files/styles/wide/"]),
    PageFixture(
      file: "discourse", title: "Drive belt squeals when damp", first: "Since the cellar flooded",
      last: "I owe you a scarf.", holds: ["pulley 2: 90 mm", "polished the rust away", "wanda:"],
      lacks: ["Likes", "Help", "February", "Treadles", "Categories"],
      markup: ["<pre>", "<blockquote>"]),
    PageFixture(
      file: "phpbb", title: "Tappet gap, two-stroke", first: "Tappet gap, two-stroke",
      last: "if you can see light.",
      holds: ["I cannot find the tappets.", "the piston opens them", "gus wrote:"],
      lacks: ["Board", "Apprentice", "2204", "Quote", "Post Reply", "online", "Powered", "7:40"],
      markup: ["<blockquote>"]),
    PageFixture(
      file: "sphinx", title: "Retries", first: "A delivery that fails",
      last: "end of the attempt before.",
      holds: ["courier.retry", "The most attempts", "never repeated", "# one attempt more"],
      lacks: ["¶", "Navigation", "Table of Contents", "Show Source", "Copyright", "index"],
      markup: ["<pre>", "<dl>", "<dt id=\"courier.retry\">", "<caption>", "<code>"]),
    PageFixture(
      file: "mkdocs", title: "Backups", first: "Granary writes one file",
      last: "out of date before it ends.",
      holds: ["verify /backup", "The file of today is still open", "Copy the days"],
      lacks: [
        "¶", "Skip to", "Installation", "On this page", "1\n2", "helpful", "March", "Material",
      ],
      markup: ["<pre>", "<ol><li>", "<h2 id=\"restore\">", "<summary>"]),
    PageFixture(
      file: "hugo", title: "A shell prompt in twelve bytes", first: "No colours, no branch",
      last: "Twelve bytes with the newline. back", holds: ["PS1='$ '", "forty milliseconds"],
      lacks: ["Archive", "3 min", "Table of Contents", "#", "Quiet fans", "Powered", "Tags"],
      markup: ["<pre>", "<sup id=\"fnref:1\">", "<li id=\"fn:1\">", "<h2 id=\"cost\">"]),
    PageFixture(
      file: "jekyll", title: "Why my tests print nothing", first: "A test that passes",
      last: "the rest of the evening.", holds: ["expected 3, got 4", "Lines before"],
      lacks: ["Small Hours", "Apr 9", "enable JavaScript", "comments powered", "owls"],
      markup: ["<pre>", "<table>", "<h2 id=\"what-i-lost\">"]),
    PageFixture(
      file: "hackernews", title: "Ask: How do you keep a log that you read again?",
      first: "wren", last: "only where it falls.",
      holds: ["One file for each year", "about forty lines of it", "daw", "I never read mine"],
      lacks: ["points", "ago", "hide", "reply", "submit", "Guidelines", "next"]),
    PageFixture(
      file: "reddit", title: "My sourdough sings when it leaves the oven",
      first: "For about a minute the crust", last: "what it is that I hear?",
      lacks: [
        "points", "submitted", "share", "very small cracks", "flour in their", "User Agreement",
      ]),
    PageFixture(
      file: "hyperkitty", title: "[ANN] Towpath 2.0", first: "Towpath 2.0 is out.",
      last: "as long as I have one on paper.",
      holds: ["--width is now in metres.", "Will the old charts"],
      lacks: ["Shortcuts", "Ilse", "9:12", "Reply", "Sign in", "Powered", "Back to"],
      markup: ["<ul><li>", "<blockquote>"]),
    PageFixture(
      file: "gitlab", title: "Lantern 4.2 · Releases · Nightwatch / lantern · Forge",
      first: "Added", last: "lantern drain --slow",
      holds: ["once an hour", "Drain the tank first"],
      lacks: ["Explore", "Issues", "Assets", "Source code", "9f1c02ab", "Skip to"],
      markup: ["<pre", "https://site.example/nightwatch/lantern/-/merge_requests/71"]),
    PageFixture(
      file: "hebrew", title: "השען האחרון ברחוב הנמל", first: "בכל בוקר בשבע",
      last: "בעוד שלוש דקות.", holds: ["השעון שבחלון, מאחר", "קופסה של קפיצים", "מה יישאר"],
      lacks: ["נועה ברק", "שתפו", "הגשר הישן", "ראשי", "כל הזכויות"],
      markup: ["https://site.example/img/clock.jpg", "<ol><li>", "<figcaption>", "<h2>"]),
    PageFixture(
      file: "data-only", title: "A tunnel under the square", first: "Workers laying a cable",
      last: "from the dry end.", holds: ["looking after it"], lacks: ["Loading"]),
  ]
}
