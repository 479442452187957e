import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";

/** The colours that a host may replace, with the names that the protocol has for them. */
const FROM_HOST = {
  "--surface": "--color-background-primary",
  "--sunk": "--color-background-secondary",
  "--ink": "--color-text-primary",
  "--muted": "--color-text-secondary",
  "--line": "--color-border-primary",
  "--edge": "--color-border-secondary",
} as const;

/** Pairs of colours that are read on each other, with the least contrast (WCAG), which a host's colours must have too. */
const READ = [
  ["--ink", "--surface", 7],
  ["--ink", "--sunk", 7],
  ["--muted", "--surface", 4.5],
  ["--muted", "--sunk", 4.5],
  ["--accent", "--surface", 4.5],
  ["--add", "--surface", 4.5],
  ["--me", "--surface", 4.5],
  ["--agent", "--surface", 4.5],
  ["--ink", "--add-bg", 7],
  ["--ink", "--accent-bg", 7],
  ["--ink", "--agent-bg", 7],
  ["--edge", "--surface", 3],
] as const;

/** Follows the host's theme, and takes over its colours if everything can be read on them. */
export function followTheme({ theme, styles }: Pick<McpUiHostContext, "theme" | "styles">): void {
  const root = document.documentElement;
  root.style.colorScheme = theme ?? "";
  for (const rule of darkRules())
    rule.media.mediaText = theme === undefined ? DARK : theme === "dark" ? "screen" : "not all";
  for (const name of Object.keys(FROM_HOST)) root.style.removeProperty(name);
  const given = Object.entries(FROM_HOST).map(([ours, theirs]) => [ours, styles?.variables?.[theirs]] as const);
  if (given.some(([, value]) => value === undefined || value === "")) return;
  for (const [ours, value] of given) root.style.setProperty(ours, value ?? "");
  if (READ.every(([text, ground, least]) => contrast(text, ground) >= least)) return;
  for (const name of Object.keys(FROM_HOST)) root.style.removeProperty(name);
}

const DARK = "screen and (prefers-color-scheme: dark)";
let found: CSSMediaRule[] | undefined;

/** Finds the rules for a dark screen. In a chat, the host says whether the screen is dark. */
const darkRules = (): readonly CSSMediaRule[] => {
  found ??= [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter(
      (rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && /prefers-color-scheme/.test(rule.media.mediaText),
    );
  return found;
};

const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

/** Returns the contrast of two colours, from 1 to 21, or 0 if one of them is no opaque colour. */
function contrast(text: string, ground: string): number {
  const [a, b] = [luminance(text), luminance(ground)];
  return Number.isNaN(a + b) ? 0 : (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns the luminance of a colour as the browser draws it, whatever notation the host uses. */
function luminance(name: string): number {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  if (canvas === null) return Number.NaN;
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
  if (alpha < 255) return Number.NaN;
  const linear = (value: number) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
