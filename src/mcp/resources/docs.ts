import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { ERROR_CODES, type ErrorCode } from "../../result/tool-error.ts";
import { docTexts } from "../../text/doc-pages.ts";
import { type Texts, textsOf } from "../../text/index.ts";
import { riskTexts } from "../../text/risks.ts";
import { TOOLS } from "../../tools/index.ts";
import type { Contents, Reading } from "./reading.ts";

/**
 * The pages that explain this server to agents. Three are made from the tables by which the server itself works, and
 * the other two are files in `prompts/`.
 */
export const DOC_PAGES = ["tools", "errors", "warnings", "confirmation", "references"] as const;
type DocPage = (typeof DOC_PAGES)[number];
type Lang = "zh" | "en";

/** Returns an entry for each page, in the shape that resource lists use. */
export const docEntries = (lang: Lang) =>
  DOC_PAGES.map((name) => ({
    uri: `towow://docs/${name}`,
    name: `doc-${name}`,
    ...docTexts(lang).pages[name],
    mimeType: "text/markdown",
  }));

const writers: Readonly<Record<DocPage, (reading: Pick<Reading, "settings" | "deps">) => Promise<string>>> = {
  tools: async ({ settings: { lang } }) => toolsPage(lang),
  errors: async ({ settings: { lang }, deps }) => errorsPage(lang, deps.textsOf(lang)),
  warnings: async ({ settings: { lang }, deps }) => warningsPage(lang, deps.textsOf(lang)),
  confirmation: ({ settings: { lang }, deps }) => deps.prompt("confirmation", lang),
  references: ({ settings: { lang }, deps }) => deps.prompt("references", lang),
};

/** Reads the list of all pages, as JSON with their addresses. */
export async function readDocIndex({ settings }: Reading): Promise<Contents> {
  const { pages } = docTexts(settings.lang);
  const index = DOC_PAGES.map((name) => ({ name, ...pages[name], uri: `towow://docs/${name}` }));
  return { text: JSON.stringify({ pages: index }, null, 1), holdsOthersText: false };
}

/** Reads one page. @throws ResourceNotFoundError for an unknown name */
export async function readDocPage(reading: Reading): Promise<Contents> {
  const name = DOC_PAGES.find((page) => page === reading.ids.page_name);
  if (name === undefined) throw new ResourceNotFoundError(reading.uri);
  return { text: await writers[name](reading), holdsOthersText: false };
}

function toolsPage(lang: Lang): string {
  const { tools: titles } = textsOf(lang);
  const { pages, when } = docTexts(lang);
  const sections = TOOLS.map(({ name, description, modes, read_only, asks }) =>
    [
      `## ${name}: ${titles[name as keyof typeof titles]}`,
      description,
      [
        ...(modes.length > 0 ? [`modes: ${modes.join(", ")}`] : []),
        read_only ? when.reads : when.writes,
        ...(asks === "nothing" ? [] : [when.asks]),
        `towow://tools/${name}`,
      ].join(" · "),
    ].join("\n"),
  );
  return [`# ${pages.tools.title}`, ...sections].join("\n\n");
}

function errorsPage(lang: Lang, { errors }: Texts): string {
  const { pages, retry: words } = docTexts(lang);
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const lines = codes.map((code) => {
    const { retry, next } = ERROR_CODES[code];
    const { message, recovery } = errors[code];
    const leads = next.length > 0 ? ` → ${next.join(", ")}` : "";
    return `- \`${code}\` (${words[retry]}): ${message} ${recovery}${leads}`;
  });
  return [`# ${pages.errors.title}`, lines.join("\n")].join("\n\n");
}

function warningsPage(lang: Lang, { note, notice }: Texts): string {
  const { pages, other, risks } = docTexts(lang);
  const { followUp } = riskTexts(lang);
  const codes = Object.entries({ ...note, ...notice, ...other }).map(
    ([code, sentence]) => `- \`${code}\`: ${sentence}`,
  );
  const found = Object.entries(followUp).map(([code, then]) => `- \`${code}\`${then === undefined ? "" : `: ${then}`}`);
  return [`# ${pages.warnings.title}`, codes.join("\n"), `## ${risks}`, found.join("\n")].join("\n\n");
}
