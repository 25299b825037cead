/// A shell that completes command lines, the script that teaches it to, and how it is answered.
///
/// The scripts know nothing of commands and options: they ask the program, each time, by a hidden command that gets the shell's name
/// and what has been typed, and prints the answer: a line `words`, `files` or `directories`, then a line for each candidate.
package enum CompletionScript: String, Sendable, CaseIterable {
  case bash, zsh, fish

  /// What could stand at the cursor, for the script.
  ///
  /// - Parameters:
  ///   - words: What the script has told: for bash the line up to the cursor, `COMP_WORDBREAKS` and `COMP_TYPE`; for the others
  ///     the words up to the cursor without the program's name.
  ///   - complete: Completes words without quotes.
  /// - Returns: Lines.
  package func answer(to words: [String], _ complete: ([String]) -> Completion) -> String {
    let line = self == .bash ? BashLine(words.first ?? "", breaks: words.dropFirst().first ?? "") : nil
    if line?.isRedirection == true { return "files\n" }
    switch complete(line.map { Array($0.words.dropFirst()) } ?? words) {
    case .files: return "files\n"
    case .directories: return "directories\n"
    case .words(let prefix, let candidates):
      let lines =
        switch (self, line) {
        case (.bash, let line?):
          Self.replies(line, prefix, candidates, isList: words.dropFirst(2).first == "63")
        case (.zsh, _): candidates.map { prefix + $0.text + "\t" + $0.text + "\t" + $0.about }
        default: candidates.map { prefix + $0.text + "\t" + $0.about }
        }
      return (["words"] + lines).map { $0 + "\n" }.joined()
    }
  }

  /// Text for COMPREPLY.
  private static func replies(
    _ line: BashLine, _ prefix: String, _ candidates: [Candidate], isList: Bool
  ) -> [String] {
    // A mere list (COMP_TYPE is `?`) is shown and not inserted, so that descriptions may stand in it.
    if isList, candidates.count > 1 {
      return candidates.map { $0.text + ($0.about.isEmpty ? "" : "  (\($0.about))") }
    }
    let texts = candidates.map { prefix + $0.text }
    var replies = texts.compactMap { line.replacement(for: $0) }
    guard line.quote == nil, replies.count > 1 else { return replies }
    // bash inserts what all have in common, which must not be half of an escape.
    let common = replies.dropFirst().reduce(Array((replies.first ?? "").unicodeScalars)) { common, reply in
      zip(common, reply.unicodeScalars).prefix { $0 == $1 }.map(\.0)
    }
    if common.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1 {
      replies[0] = line.replacement(for: texts[0], isQuoted: true) ?? ""
    }
    return replies
  }

  /// The script.
  ///
  /// - Parameters:
  ///   - program: The name of the program, a plain word.
  ///   - command: The name of its hidden command.
  /// - Returns: What the shell is to read.
  package func text(program: String, command: String) -> String {
    let text =
      switch self {
      case .bash: Self.bashText
      case .zsh: Self.zshText
      case .fish: Self.fishText
      }
    return text.replacing("PROGRAM", with: program).replacing("COMMAND", with: command) + "\n"
  }

  private static let bashText = #"""
    # Completion of PROGRAM in bash; made by 'PROGRAM completions bash'.
    _PROGRAM() {
      local reply program=${1/#\~/$HOME}
      type -P -- "$program" >/dev/null || program=PROGRAM
      mapfile -t reply < <("$program" COMMAND bash -- \
        "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" "$COMP_TYPE" 2>/dev/null)
      COMPREPLY=()
      case ${reply[0]-} in
        files) compopt -o default ;;
        directories) compopt -o dirnames ;;
        words) COMPREPLY=("${reply[@]:1}") ;;
      esac
    }
    complete -o nosort -F _PROGRAM PROGRAM
    """#

  private static let zshText = #"""
    #compdef PROGRAM
    # Completion of PROGRAM in zsh; made by 'PROGRAM completions zsh'.
    _PROGRAM() {
      local line text width=0 program=${~${(Q)words[1]}}
      local -a reply texts shown format expl
      reply=("${(@f)$("$program" COMMAND zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)IPREFIX}${(Q)PREFIX}" 2>/dev/null)}")
      case ${reply[1]} in
        files | directories)
          # Of --option=FILE only FILE is a file.
          compset -P '-*='
          [[ $reply[1] == files ]] && _files || _files -/
          ;;
        words)
          # Not by _describe, which takes colons and backslashes now for its own, now for the word's.
          for line in "${(@)reply[2,-1]}"; do
            text=${${line#*$'\t'}%%$'\t'*}
            (( ${(m)#text} > width )) && width=${(m)#text}
          done
          for line in "${(@)reply[2,-1]}"; do
            text=${${line#*$'\t'}%%$'\t'*}
            texts+=("${line%%$'\t'*}")
            if [[ -n ${line##*$'\t'} ]]; then
              # One a line.
              format=(-l)
              text="${(mr:width:)text}  -- ${line##*$'\t'}"
            fi
            shown+=("${text[1,COLUMNS - 1]}")
          done
          _description -V values expl PROGRAM
          compadd "${expl[@]}" $format -d shown -a texts
          ;;
      esac
    }
    if [[ $funcstack[1] == _PROGRAM ]]; then
      _PROGRAM "$@"
    else
      (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
      compdef _PROGRAM PROGRAM
    fi
    """#

  private static let fishText = #"""
    # Completion of PROGRAM in fish; made by 'PROGRAM completions fish'.
    function __PROGRAM_knows
        set -l words (commandline -opc)
        set -l typed (commandline -ct)
        set -l current (string unescape -- "$typed"; or printf %s "$typed")
        set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
        set -g __PROGRAM_words ($program COMMAND fish -- $words[2..-1] "$current" 2>/dev/null)
        set -l kind $__PROGRAM_words[1]
        set -e __PROGRAM_words[1]
        if test "$kind" = directories
            set -l option (string match -r '^-[^=]*=' -- "$typed")
            set -g __PROGRAM_words "$option"(__fish_complete_directories (string replace -- "$option" '' "$typed") '')
        end
        # Files are completed by fish itself where nothing else is known.
        test "$kind" != files
    end
    complete -c PROGRAM -e
    complete -c PROGRAM -n __PROGRAM_knows -f -k -a '$__PROGRAM_words'
    """#
}
