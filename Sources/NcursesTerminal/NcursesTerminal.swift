public import TerminalKit
