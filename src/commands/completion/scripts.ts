export type Shell = "bash" | "zsh" | "fish";

/**
 * Each asks `towow-mcp complete` at every Tab, so that it never goes stale. A word that is inserted means itself: zsh and
 * fish see to that, bash does not.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# towow-mcp: completion for bash
_towow_mcp() {
  local value meaning word
  COMPREPLY=()
  while IFS=$'\\t' read -r value meaning; do
    printf -v word %q "$value"
    COMPREPLY+=("$word")
  done < <(towow-mcp complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _towow_mcp towow-mcp
`,
  zsh: `# towow-mcp: completion for zsh
_towow_mcp() {
  local -a found
  local value meaning
  while IFS=$'\\t' read -r value meaning; do
    value=\${value//\\\\/\\\\\\\\}
    found+=("\${value//:/\\\\:}\${meaning:+:$meaning}")
  done < <(towow-mcp complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe 'towow-mcp' found; else _files; fi
}
compdef _towow_mcp towow-mcp
`,
  fish: `# towow-mcp: completion for fish
function __towow_mcp
  set -l words (commandline -opc) (commandline -ct)
  towow-mcp complete -- $words[2..-1] 2>/dev/null
end
complete -c towow-mcp -f -n 'count (__towow_mcp) >/dev/null' -a '(__towow_mcp)'
`,
};
