import stringWidth from "string-width";

/** One picture of the terminal, as `tmux capture-pane -e` gives it, and for how long it stands, in milliseconds. */
export interface Frame {
  screen: string;
  ms: number;
}

const CELL = { width: 8.4, height: 18 };
const MARGIN = 16;
const COLOURS: Readonly<Record<number, string>> = {
  31: "#f47067",
  32: "#57ab5a",
  33: "#dcb350",
  36: "#56b6c2",
};
const PLAIN = "#cdd3de";
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans CJK SC', monospace";

interface Style {
  colour: string;
  bold: boolean;
  dim: boolean;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Only what the program itself writes: bold, dim, four colours. */
function styled(style: Style, codes: string): Style {
  let now = style;
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) now = { colour: PLAIN, bold: false, dim: false };
    else if (code === 1) now = { ...now, bold: true };
    else if (code === 2) now = { ...now, dim: true };
    else if (code === 22) now = { ...now, bold: false, dim: false };
    else if (code === 39) now = { ...now, colour: PLAIN };
    else if (COLOURS[code] !== undefined) now = { ...now, colour: COLOURS[code] };
  }
  return now;
}

/** Runs of one style and one character width: each is pinned to its columns, whatever fonts there are. */
function line(text: string, row: number, start: Style): { svg: string; style: Style } {
  let style = start;
  let column = 0;
  let svg = "";
  const y = MARGIN + row * CELL.height + 13;
  const run = (characters: string, columns: number) => {
    const wide = columns > [...characters].length ? ' font-size="16"' : "";
    if (characters.trim() !== "") {
      const look = `fill="${style.colour}"${style.bold ? ' font-weight="700"' : ""}${style.dim ? ' opacity=".55"' : ""}`;
      const at = `x="${(MARGIN + column * CELL.width).toFixed(1)}" y="${y}" textLength="${(columns * CELL.width).toFixed(1)}"`;
      svg += `<text ${at} ${look}${wide}>${escaped(characters)}</text>`;
    }
    column += columns;
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal's own sequences
  for (const part of text.split(/(\x1b\[[\d;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal's own sequences
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) {
      style = styled(style, codes || "0");
      continue;
    }
    let same = "";
    let width = 0;
    for (const { segment } of new Intl.Segmenter().segment(part)) {
      const columns = stringWidth(segment);
      const words = same.endsWith("  ") && segment !== " ";
      if (same !== "" && (columns !== width || words)) {
        run(same, stringWidth(same));
        same = "";
      }
      same += segment;
      width = columns;
    }
    run(same, stringWidth(same));
  }
  return { svg, style };
}

function picture({ screen }: Frame): string {
  let style: Style = { colour: PLAIN, bold: false, dim: false };
  let svg = "";
  for (const [row, text] of screen.replace(/\n$/, "").split("\n").entries()) {
    const done = line(text, row, style);
    style = done.style;
    svg += done.svg;
  }
  return svg;
}

/** The frames as one picture that plays by itself; it stands still, at its last frame, for those who want no motion. */
export function toSvg(
  frames: readonly Frame[],
  { columns, rows }: { columns: number; rows: number },
  title: string,
): string {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = rows * CELL.height + 2 * MARGIN;
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let at = 0;
  const rules: string[] = [];
  const groups = frames.map((frame, i) => {
    const [from, to] = [at / total, (at + frame.ms) / total].map((part) => (part * 100).toFixed(2));
    at += frame.ms;
    const hidden = i === 0 ? "" : `0%{visibility:hidden}${from}%{visibility:visible}`;
    const after = i === frames.length - 1 ? "100%{visibility:visible}" : `${to}%,100%{visibility:hidden}`;
    rules.push(`@keyframes f${i}{${hidden || "0%{visibility:visible}"}${after}}#f${i}{animation-name:f${i}}`);
    return `<g id="f${i}" class="f">${picture(frame)}</g>`;
  });
  const last = frames.length - 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>svg{font:14px ${FONT}}text{white-space:pre}.f{visibility:hidden;animation:${(total / 1000).toFixed(1)}s step-end infinite}#f${last}{visibility:visible}${rules.join("")}@media (prefers-reduced-motion:reduce){.f{animation:none}}</style>
<rect width="100%" height="100%" rx="8" fill="#1b1f27"/>
${groups.join("\n")}
</svg>
`;
}
