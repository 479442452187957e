/** What a compose file says, as data. */
export type Yaml = string | readonly unknown[] | { readonly [key: string]: Yaml };

interface Line {
  indent: number;
  text: string;
}

/**
 * Reads the part of YAML in which `deploy/compose.yaml` is written: maps, anchors, merges, lists in brackets and literal
 * blocks. Throws for a line that is none of these.
 */
export function readCompose(source: string): Readonly<Record<string, Yaml>> {
  const lines = source.split("\n").map((line) => ({ indent: line.search(/\S|$/), text: line.trim() }));
  const anchors = new Map<string, Yaml>();
  let at = 0;

  /** The next line that says something. */
  const next = (): Line | undefined => {
    while (lines[at]?.text === "" || lines[at]?.text.startsWith("#")) at += 1;
    return lines[at];
  };

  function map(indent: number): Record<string, Yaml> {
    const merged: Record<string, Yaml> = {};
    const own: Record<string, Yaml> = {};
    for (let line = next(); line !== undefined && line.indent === indent; line = next()) {
      const [, key, anchor, rest = ""] = /^([\w<-]+):(?: &(\w+))?(?: (.*))?$/.exec(line.text) ?? [];
      if (key === undefined) throw new Error(`not read here: ${line.text}`);
      at += 1;
      const value = rest === "" ? nested(indent) : rest === "|" ? literal(indent) : scalar(rest);
      if (anchor !== undefined) anchors.set(anchor, value);
      if (key === "<<") Object.assign(merged, value);
      else own[key] = value;
    }
    return { ...merged, ...own };
  }

  function nested(indent: number): Yaml {
    const line = next();
    return line !== undefined && line.indent > indent ? map(line.indent) : "";
  }

  function literal(indent: number): string {
    const from = at;
    while (lines[at] !== undefined && (lines[at]!.text === "" || lines[at]!.indent > indent)) at += 1;
    return lines
      .slice(from, at)
      .map(({ text }) => text)
      .join("\n");
  }

  function scalar(text: string): Yaml {
    if (text.startsWith("*")) return anchors.get(text.slice(1)) ?? "";
    if (text.startsWith('"')) return JSON.parse(text) as string;
    if (!text.startsWith("[")) return text;
    return text.includes('"') ? (JSON.parse(text) as string[]) : text.slice(1, -1).split(/,\s*/);
  }

  const read = map(0);
  if (next() !== undefined) throw new Error(`not read here: ${next()?.text}`);
  return read;
}
