export const shellNames = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof shellNames)[number];

export function isShell(name: string): name is Shell {
  return (shellNames as readonly string[]).includes(name);
}

/**
 * Each asks `motif completion words`, so that a script stays right when motif is updated. What comes back is only ever
 * data to them: it is never evaluated, split into words or expanded.
 */
export const completionScripts: Record<Shell, string> = {
  // The bash 3.2 of macOS has no compopt, so there no file names are completed. What goes behind an open quote is
  // escaped as that quote needs it; bash itself adds the one that closes, but not behind another.
  bash: `_motif() {
  local value about quote=\${COMP_WORDS[COMP_CWORD]:0:1} single=\\'
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    case $value in
      :files) ((\${#COMPREPLY[@]})) && compopt -o filenames 2>/dev/null &&
        mapfile -tO \${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$2") || compopt -o default 2>/dev/null ;;
      ?*)
        case $quote in
          \\")
            value=\${value//\\\\/\\\\\\\\} value=\${value//\\"/\\\\\\"}
            value=\${value//\\$/\\\\\\$} value=\${value//\\\`/\\\\\\\`}
            [[ $value == *\\" ]] && value+=\\" ;;
          \\') value=\${value//$single/$single\\\\$single$single} ;;
          *) printf -v value %q "$value" ;;
        esac
        COMPREPLY+=("$value") ;;
    esac
  done <<<"$(command motif completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$2" 2>/dev/null)"
}
complete -F _motif motif
`,

  zsh: `#compdef motif
_motif() {
  local line value files tab=$'\\t'
  local -a candidates
  for line in "\${(@f)$(command motif completion words -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    [[ $line == :files ]] && { files=1; continue }
    value=\${line%%$tab*}
    [[ -n $value ]] && candidates+=("\${value//:/\\\\:}:\${line#*$tab}")
  done
  (( $#candidates )) && _describe motif candidates
  [[ -n $files ]] && { compset -P 1 '--*='; _files }
}
if [[ $funcstack[1] == _motif ]]; then _motif "$@"; else compdef _motif motif; fi
`,

  fish: `function __motif_complete
    set -l current (commandline -ct | string replace -r -- '^["\\']' '' | string replace -ra -- '\\\\\\\\(.)' '$1')
    set -l typed (commandline -opc) "$current"
    set -l lines (command motif completion words -- $typed[2..-1] 2>/dev/null)
    if contains -- :files $lines
        set -l head (string match -r -- '^--[^=]+=' "$current")
        set lines (string match -v -- :files $lines) "$head"(__fish_complete_path (string replace -- "$head" '' "$current"))
    end
    string join -- \\n $lines
end
complete -c motif -f -k -a '(__motif_complete)'
`,
};
