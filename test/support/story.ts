import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { MockOptions } from "../../mock-backend/main.ts";
import type { ToolResult } from "../../src/result/tool-result.ts";
import type { Answer, CallOptions, Form } from "./clients.ts";
import type { Lang } from "./screens.ts";
import { createWorld, type Process, type ProcessOptions, type World } from "./world.ts";

/** A module that is loaded in the middle of a call takes real time, in which a world's clock goes on: they are all here. */
await Promise.all([
  import("ky"),
  ...globSync("src/{ask,backend,mcp,negotiation,report,result,safety,tools,use}/**/*.ts").map(
    (file) => import(pathToFileURL(file).href),
  ),
]);

/** What is asked for, in the person's language. */
export const NEED: Readonly<Record<Lang, string>> = {
  en: "A designer for a hospital queue pilot",
  zh: "找一位懂医院排队的设计师",
};

/** A call after the other, with all that its client and its person are shown meanwhile, as one text. */
export interface Story {
  world: World;
  p: Process;
  // biome-ignore lint/suspicious/noExplicitAny: each story knows the data of the tool it calls
  call(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolResult<any>>;
  /** A line of the story itself: what happens between two calls. */
  meanwhile(what: string): void;
  told(): string;
}

export interface StoryOptions extends Omit<ProcessOptions, "answer"> {
  mock?: MockOptions;
  /** What the person answers, question after question; the last answer stays. Without it the client shows no questions. */
  answers?: readonly Answer[];
  /** Another program of the same home. */
  in?: World;
}

export const YES: Answer = { action: "accept", content: { decision: "accept" } };
export const NO: Answer = { action: "accept", content: { decision: "reject" } };
export const LATER: Answer = { action: "cancel" };

export async function story(lang: Lang, { mock, answers, in: there, ...options }: StoryOptions = {}): Promise<Story> {
  const world = there ?? (await createWorld(mock));
  const lines: string[] = [];
  const indented = (text: string, by = "  ") =>
    lines.push(
      ...masked(text)
        .split("\n")
        .map((line) => `${by}${line}`.trimEnd()),
    );
  let asked = 0;
  const p = await world.process({
    ...options,
    flags: { lang, ...options.flags },
    ...(answers && {
      async answer(form: Form) {
        const answer = answers[Math.min(asked++, answers.length - 1)] ?? LATER;
        indented(
          `${questionLines(form).join("\n")}\n← ${answer.action} ${JSON.stringify(answer.content ?? {})}`,
          "  ? ",
        );
        if (answer.action === "decline") await world.clock.sleep(1_200);
        return answer;
      },
    }),
  });
  return {
    world,
    p,
    meanwhile: (what) => void lines.push(`(${what})`),
    async call(tool, args = {}, given = {}) {
      lines.push(`> ${tool} ${masked(JSON.stringify(args))}`);
      const [opened, pages] = [p.opened.length, p.sends.length + p.pages.length];
      const onProgress = (message: string) => indented(message, "  … ");
      const { result, text, links } = await p.call(tool, args, { onProgress, ...given });
      for (const url of p.opened.slice(opened)) indented(url, "  ⇱ ");
      if (p.sends.length + p.pages.length > pages) indented("a page waits", "  ⇱ ");
      indented(text);
      const { status, meta } = result;
      const more = Object.entries({ ...meta }).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
      indented([`= ${status}`, ...more, ...links].join(" · "));
      return result;
    },
    told: () => lines.join("\n"),
  };
}

/** What a client is asked, as it is given it. */
export function questionLines({ message, requestedSchema, url }: Form): string[] {
  const fields = Object.entries((requestedSchema?.properties ?? {}) as Record<string, Record<string, unknown>>);
  return [
    ...message.split("\n"),
    ...(url === undefined ? [] : [`at ${url}`]),
    ...fields.flatMap(([name, { title, description, enum: values = [], enumNames = [] }]) => [
      `[${name}] ${title}${description === undefined ? "" : ` — ${description}`}`,
      ...(values as string[]).map((value, i) => `  (${value}) ${(enumNames as string[])[i]}`),
    ]),
  ];
}

/** Random ids, the marks that fence others' words, and a time that goes on while a module is loaded. */
const masked = (text: string): string =>
  text
    .replace(/(.)\1{99,}/g, "$1…")
    .replace(/\b(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{21}(?![\w-])/g, "‹random›")
    .replace(/("observed_at": ?)"[^"]*"/g, '$1"‹time›"')
    .replace(/(foreign |confirmation_id":"|approve\/(?:result\/)?)[\w-]{21}(?![\w-])/g, "$1‹random›");
