import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { byCodeUnits } from "../src/by-code-units.ts";

/** A line that says whose a package is: the rest of a licence is the same for many. */
const COPYRIGHT = /^[ \t]*Copyright (?:\(c\)|©|\d).*$/gim;

/**
 * The licences of the packages that went into a bundle of these files, as they ask for: above each text the packages that
 * it is for, each with whose it is. A text that several share stands once.
 */
export async function licences(inputs) {
  const found = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const sections = new Map();
  for (const folder of [...new Set(found)].filter(Boolean).sort(byCodeUnits)) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    const texts = await Promise.all(files.sort(byCodeUnits).map((file) => readFile(join(folder, file), "utf8")));
    const text = texts.map((it) => it.replaceAll("\r\n", "\n").trim()).join("\n\n");
    const owners = (text.match(COPYRIGHT) ?? []).map((line) => `  ${line.trim()}`);
    const shared = text
      .replaceAll(COPYRIGHT, "")
      .trim()
      .replaceAll(/\n{3,}/g, "\n\n");
    const words = shared.replaceAll(/\s+/g, " ");
    const section = sections.get(words) ?? { heads: [], text: shared };
    section.heads.push([`${name} ${version} (${license})`, ...owners].join("\n"));
    sections.set(words, section);
  }
  const parts = [...sections.values()].map(({ heads, text }) => `${heads.join("\n")}\n\n${text}`);
  return `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
