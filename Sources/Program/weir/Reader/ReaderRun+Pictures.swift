import ReaderUI
import TerminalKit

extension ReaderRun {
  func decode(_ bytes: [UInt8], within size: Size) async throws(ActionFailure) -> PixelImage {
    do throws(PictureDecoder.Failure) {
      return try await PictureDecoder().decode(bytes, width: size.width, height: size.height)
    } catch {
      let isCostly = if case .ended = error { true } else { false }
      throw ActionFailure(error.reason, isCostly: isCostly)
    }
  }
}

extension PictureDecoder.Failure {
  fileprivate var reason: String {
    switch self {
    case .unknownKind: "Weir can\u{2019}t show pictures of this format"
    case .damaged: "the picture is damaged"
    case .tooLarge: "the picture is too large"
    case .ended(let how): "the picture can\u{2019}t be decoded (\(how))"
    }
  }
}

extension PictureDisplay {
  var terminalChoice: PictureChoice {
    switch self {
    case .auto: .ask
    case .kitty: .use(.kitty)
    case .sixel: .use(.sixel)
    case .iterm: .use(.iterm)
    case .blocks: .blocks
    case .off: .none
    }
  }
}
