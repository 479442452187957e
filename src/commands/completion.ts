import type { Command } from "commander";
import { homeFactsIn } from "../app/history-folder.ts";
import type { Io } from "../app/io.ts";
import { isNegotiationId } from "../backend/route.ts";
import { PRODUCTION } from "../home/origin.ts";
import { CONFIG_KEYS, declarationOf } from "../home/schema.ts";
import { isOpen, type Listed, listRecords, openSince } from "../negotiation/records.ts";
import { CLIENTS } from "../setup/clients.ts";
import { localTime } from "../terminal/local-time.ts";
import { textsOf } from "../text/index.ts";
import { TOOLS } from "../tools/index.ts";
import { type Candidate, candidatesFor, type ValuesOf } from "./completion/candidates.ts";
import { type Home, homeLanguage, openHome } from "./home.ts";
import { print } from "./print.ts";

/** `towow-mcp completion <shell>`: what a person puts into their shell's start-up file. */
export const completion = (io: Io, shell: Shell): void => void print(io, SCRIPTS[shell]);

/** What the shell's script asks at each Tab: `words` are those behind the program's name, the last one unfinished. */
export async function complete(program: Command, words: readonly string[], io: Io): Promise<void> {
  const ids = () => rememberedIds(openHome(io));
  const found = await candidatesFor(program, words, valuesOf(ids, homeLanguage(io.env)));
  await print(io, found.map(({ value, meaning }) => `${value}\t${meaning}\n`).join(""));
}

type Shell = "bash" | "zsh" | "fish";

/**
 * Each asks `towow-mcp complete` at every Tab, so that it never goes stale. A word that is inserted means itself: zsh and
 * fish see to that, bash does not.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
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

const IDS_AT_MOST = 20;

/** What each argument takes, by its name in the help. `ids`: of the negotiations that are remembered here. */
const valuesOf =
  (ids: () => Promise<readonly Candidate[]>, lang: "zh" | "en"): ValuesOf =>
  (argument, before) => {
    const titles: Readonly<Record<string, string>> = textsOf(lang).tools;
    const values: Readonly<Record<string, () => Promise<readonly Candidate[]>>> = {
      id: ids,
      clients: async () => CLIENTS.map(({ id, title }) => ({ value: id, meaning: title })),
      tool: async () => TOOLS.map(({ name }) => ({ value: name, meaning: titles[name] ?? "" })),
      address: async () => ["sandbox", PRODUCTION].map((value) => ({ value, meaning: "" })),
      mode: async () => ["normal", "developer"].map((value) => ({ value, meaning: "" })),
      value: async () => settingValues(before).map((value) => ({ value, meaning: "" })),
      key: async () => CONFIG_KEYS.map((key) => ({ value: key, meaning: declarationOf(key)[lang] })),
    };
    return values[argument]?.();
  };

/** What a setting can be, where that is one of a few words. */
function settingValues(name: string | undefined): readonly string[] {
  const key = CONFIG_KEYS.find((one) => one === name);
  return key === undefined ? [] : wordsOf(declarationOf(key).expected);
}

const wordsOf = (expected: string): readonly string[] => (/^\w+(\|\w+)+$/.test(expected) ? expected.split("|") : []);

/** The newest negotiations, from the files of the home alone; those that are open first. */
async function rememberedIds({ io, path }: Home): Promise<Candidate[]> {
  const facts = homeFactsIn(path);
  const now = io.clock.now();
  // A file may hold what is no id: a shell would insert it.
  const fits = ({ negotiation_id: id }: Listed) => isNegotiationId(id);
  const records = await listRecords(facts, { count: IDS_AT_MOST, since: openSince(now), fits });
  const [open, over] = [true, false].map((wanted) => records.filter((one) => isOpen(one, now) === wanted));
  const newest = [...open!, ...over!].slice(0, IDS_AT_MOST);
  return newest.map((one) => ({ value: one.negotiation_id, meaning: localTime(one.submitted_at) }));
}
