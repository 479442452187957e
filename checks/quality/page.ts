import real from "./claude-code.json" with { type: "json" };
import type { Surface } from "./surface.ts";
import type { Outcome } from "./tasks.ts";

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const number = new Intl.NumberFormat("en-US");

/** checks/quality/surface.md: everything that clients see with its size, and the evaluation set with its tokens. */
export function surfacePage(
  { listed }: Surface,
  sizes: Readonly<Record<"2025" | "2026", Record<string, number>>>,
  evaluation: readonly Outcome[],
): string {
  const read = (name: string, era: "2025" | "2026") => {
    const bytes = sizes[era][name];
    return bytes === undefined ? "–" : number.format(bytes);
  };
  const inClaude = (name: string) => {
    const bytes = (real.bytes as Record<string, number>)[name];
    return bytes === undefined ? "–" : number.format(bytes);
  };
  return `# What clients see

The size in bytes of every tool, prompt, resource and template of \`--toolset all\`: of its entry in the list; where it can
be read, of what the official clients of both protocol eras read; and of what the real ${real.client} gave its model when it
called or read it (${real.at}: a result with its wrapper, a prompt as a slash command). Written by
\`node checks/quality.ts --save\`.

${[
  row(["what", "entry, bytes", "read, 2025 era", "read, 2026 era", "in Claude Code"]),
  row(["---", "---:", "---:", "---:", "---:"]),
  ...Object.entries(listed).map(([name, { bytes }]) =>
    row([`\`${name}\``, number.format(bytes), read(name, "2025"), read(name, "2026"), inClaude(name)]),
  ),
].join("\n")}

## Tasks by tools alone

${evaluation.length} tasks, each run by a script against the mock backend: the calls that it took, and the tokens of their
results, estimated on the high side.

${[
  row(["an agent should", "found", "calls", "tokens"]),
  row(["---", "---", "---:", "---:"]),
  ...evaluation.map(({ wanted, found, calls, tokens }) =>
    row([wanted, found ? "yes" : "**no**", calls, number.format(tokens)]),
  ),
].join("\n")}
`;
}
