export const ROOT = new URL("../../", import.meta.url);
export const NOTE = "<!-- Written by docs/generate.ts: change the code, not this page. -->";

export const cell = (text: string): string =>
  text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(/\s+/g, " ");
export const code = (text: string): string => `\`${text}\``;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** A table whose first cells are code, in which `<` stands for itself. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map(([name = "", ...cells]) =>
    ["", name.replaceAll("|", "\\|"), ...cells.map(cell), ""].join(" | ").trim(),
  );
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...lines].join("\n");
}

/** A text with the part between two markers replaced. Throws when the markers are not there once each. */
export function between(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const parts = text.split(start);
  const rest = parts[1]?.split(end);
  if (parts.length !== 2 || rest?.length !== 2) throw new Error(`the page needs ${start} and ${end} once each`);
  return `${parts[0]}${start}\n${content}\n${end}${rest[1]}`;
}
