package import FeedModel
internal import TextRules

extension HTMLContent {
  /// Returns the reason for a missing article, if the page gives one.
  package static func obstacle(in page: [UInt8], contentType: String? = nil) -> FailureDetail? {
    let text = PageEncoding.utf8(page, contentType: contentType)
    return PageObstacle.find(in: parse(String(decoding: text, as: UTF8.self)))
  }
}

/// Detects pages in place of an article: robot checks, consent, subscriptions, requests to enable
/// scripts.
enum PageObstacle {
  private static let maximumText = 20_000
  /// Maximum number of bytes of text beside a form in place of a page.
  private static let maximumForm = 2_000

  static func find(in nodes: [HTMLNode]) -> FailureDetail? {
    var page = Page()
    page.read(nodes)
    if hasTitleOfCheck(page.title) { return .robotCheck }
    let text = page.text.lowercased()
    if text.utf8.count < maximumForm {
      if page.isGuarded { return .robotCheck }
      if page.hasPassword || page.title.map(asksToSignIn) == true { return .signInPage }
    }
    func says(_ phrases: [StaticString]) -> Bool { phrases.contains(where: text.holds) }
    if page.asksForConsent || says(consent) { return .consentPage }
    if says(check) { return .robotCheck }
    if invites(text) { return .subscriberPage }
    return says(scripts) ? .needsScripts : nil
  }

  private struct Page {
    var title: String?
    var text = ""
    var asksForConsent = false
    var hasPassword = false
    /// True if a script of a service against robots decides what is shown.
    var isGuarded = false

    mutating func read(_ nodes: [HTMLNode]) {
      for node in nodes where text.utf8.count < maximumText {
        switch node {
        case .text(let part): text += part
        case .element(let element) where element.name == "script" || element.name == "style":
          var script = element["src"] ?? ""
          if case .text(let text)? = element.children.first { script += text.prefix(20_000) }
          if guards.contains(where: script.contains) { isGuarded = true }
        case .element(let element):
          if element.name == "title", title == nil, case .text(let part)? = element.children.first {
            title = part
          }
          if PageObstacle.asksForConsent(element) { asksForConsent = true }
          if element["type"]?.lowercased() == "password" { hasPassword = true }
          read(element.children)
          text += " "
        }
      }
    }
  }

  /// True for an invitation such as "Subscribe to continue reading".
  static func invites(_ text: String) -> Bool {
    let text = text.lowercased()
    return subscription.contains(where: text.holds)
  }

  /// True for a form of a consent service.
  static func asksForConsent(_ element: HTMLElement) -> Bool {
    guard element.name == "form", let action = element["action"]?.lowercased() else { return false }
    return action.contains("collectconsent") || action.contains("//consent.")
  }

  /// True for a short text that begins with a notice such as "This site uses cookies".
  static func isCookieNotice(_ node: PageNode) -> Bool {
    guard node.measure.text < 2_000 else { return false }
    return node.line(upTo: 200).lowercased().contains(
      /\b(uses?|verwend\w+|nutz\w+|utili[sz]\w+|usa|gebruik\w+|używa|использ\w+)(\s\S+)?\scookie/)
  }

  private static func asksToSignIn(_ title: String) -> Bool {
    title.lowercased().contains(
      /\b(sign[ -]?in|log[ -]?(in|on)|anmeld(en|ung)|connexion|se connecter|accedi|inloggen)\b/)
      || title.contains(/Iniciar sesi|Logga in|Zaloguj|Вход|Войти|ログイン|登录|登入|로그인/)
  }

  static func hasTitleOfCheck(_ title: String?) -> Bool {
    guard let title = title.map(HTMLContent.cleanText)?.lowercased() else { return false }
    return [
      "just a moment...", "attention required! | cloudflare", "access denied", "are you a robot?",
      "robot or human?", "security check", "pardon our interruption", "ddos-guard",
      "checking your browser", "human verification", "bot verification", "one moment, please...",
      "making sure you're not a bot!", "client challenge", "robot challenge screen",
      "vercel security checkpoint", "nur einen moment…", "un instant…", "un momento…", "请稍候…",
    ].contains(title)
  }

  private static let check: [StaticString] = [
    "checking your browser", "verify you are human", "verify that you are human",
    "verifying you are human", "are not a robot", "unusual traffic", "complete the captcha",
  ]
  /// Parts of scripts of Cloudflare, AWS WAF, DataDome, Imperva, PerimeterX and Anubis.
  private static let guards = [
    "_cf_chl_opt", "challenges.cloudflare.com", "AwsWafIntegration", "captcha-delivery.com",
    "_Incapsula_Resource", "px-captcha", "within.website/x/cmd/anubis",
  ]
  private static let consent: [StaticString] = [
    "before you continue to", "consent to the use of cookies", "we need your consent",
    "accept cookies to continue", "wir benötigen ihre zustimmung",
  ]
  private static let subscription: [StaticString] = [
    "subscribe to continue", "subscribe to read", "subscribe to keep reading", "subscribers only",
    "for subscribers", "for paid subscribers", "for paying subscribers", "for members only",
    "already a subscriber", "subscription required", "log in to continue", "sign in to continue",
    "register to continue", "to read the full", "to read the rest", "unlock this article",
    "nur für abonnenten", "bereits abonnent", "jetzt weiterlesen", "um weiterzulesen",
    "réservé aux abonnés", "réservée aux abonnés", "déjà abonné", "para suscriptores",
    "para seguir leyendo", "per continuare a leggere", "già abbonato", "para assinantes",
    "voor abonnees", "続きを読むには", "有料会員限定",
  ]
  private static let scripts: [StaticString] = [
    "enable javascript", "javascript is disabled", "javascript is required",
    "requires javascript", "javascript to run this app", "turn on javascript",
    "javascript aktivieren", "activer javascript", "activez javascript", "javascriptを有効",
  ]
}
