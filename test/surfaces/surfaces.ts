import { editRuns } from "../../src/view/aligned.ts";
import { printedPage } from "../support/printed-page.ts";
import type { Lang, Screens } from "../support/screens.ts";
import { type Task, WITH_PAGES } from "../support/task-client.ts";
import { AWAY_MS, browser } from "./home.ts";
import { type Lived, NEGOTIATIONS } from "./negotiations.ts";

export const drawn = async (name: keyof typeof NEGOTIATIONS, lang: Lang): Promise<Screens> =>
  surfacesOf(await NEGOTIATIONS[name](lang));

/** Every surface of the product, drawn from one home by the program that ships. The order is that of a reader's question. */
async function surfacesOf({ it, server, id, taskId, page, isAway }: Lived): Promise<Screens> {
  const screens: Record<string, string> = {};
  if (isAway) it.patience.ms = AWAY_MS;
  const about = { negotiation_id: id };
  const result = async (from: Lived["server"], tool: string, args: object = {}) =>
    readable(it.shown((await from.call(tool, args)).text));
  if (taskId !== undefined)
    screens["task status"] = taskOf(it, await server.request("tasks/get", { taskId }, WITH_PAGES));
  screens.towow_status = await result(server, "towow_status", about);
  screens.towow_demand = await result(server, "towow_demand", about);
  const developer = it.serve(["--mode", "developer", "--toolset", "all"]);
  const { towow_status = "" } = screens;
  screens["towow_status, a new program in developer mode"] = besides(
    towow_status,
    await result(developer, "towow_status"),
  );
  screens["towow_get_negotiation, beside towow_status"] = besides(
    towow_status,
    await result(developer, "towow_get_negotiation", about),
  );
  screens.towow_brief_export = await result(developer, "towow_brief_export", { sources: [id] });
  await developer.end();
  screens.notices = it.shown([...server.notices, ...developer.notices].join("\n"));

  screens["towow-mcp list"] = await it.piped("list");
  screens["towow-mcp, the overview"] = await it.typed("");
  screens["towow-mcp watch --plain"] = await it.follows(`watch ${id} --plain`);
  screens["towow-mcp watch, one frame"] = await it.typed(`watch ${id}`, { rows: 50, stop: "q" });
  screens["towow-mcp confirm"] = await it.typed(`confirm ${id}`);
  const findings = JSON.parse((await it.piped("doctor --json")).replace(/^── exit.*$/m, "")).findings as Record<
    string,
    string
  >[];
  screens["towow-mcp doctor, its line"] = findings
    .filter(({ check }) => check === "pauses")
    .map(({ level, message, fix }) => `${level}: ${message}${fix === undefined ? "" : ` → ${fix}`}`)
    .join("\n");
  screens.room = await roomOf(it, id);
  screens["page, beside the room"] =
    page === undefined
      ? "(no page was opened)"
      : besides(screens.room, it.shown(printedPage((await page.browser.get(page.url)).body)));
  screens["report, Markdown"] = await it.piped(`report ${id} --format md`);
  const html = await it.piped(`report ${id} --format html --out -`);
  screens["report, HTML"] = html.startsWith("<") ? printedPage(html) : html;
  it.mock.faults.clear();
  if (isAway) await it.clock.pass(BACK_MS);
  await server.end();
  const blank = Object.keys(screens).filter((name) => name !== "notices" && screens[name]?.trim() === "");
  if (blank.length > 0) throw new Error(`nothing is printed of ${blank.join(", ")}`);
  return Object.fromEntries(Object.entries(screens).map(([name, text]) => [name, within(text)]));
}

/** In which what is still on its way arrives: a program stays with a no until then. */
const BACK_MS = 20_000;

/** Lines of a surface that another one has not (`+`), or has alone (`-`). */
function besides(other: string, text: string): string {
  const linesOf = (of: string) => `${of}\n`.split(/(?<=\n)/);
  const changes = editRuns(linesOf(other), linesOf(text))!.filter(({ change }) => change !== "same");
  const lines = changes.flatMap(({ change, text }) =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `${change === "added" ? "+" : "-"} ${line}`),
  );
  return lines.length === 0 ? "(the same)" : lines.join("\n");
}

/** Where there are very many lines, the first and the last. */
const MOST = 200;
function within(text: string): string {
  const lines = text.split("\n");
  if (lines.length <= MOST) return text;
  return [...lines.slice(0, 40), `… (${lines.length - 50} more lines)`, ...lines.slice(-10)].join("\n");
}

/** The data of a result, a field on a line; what is long is cut, since its text stands above. */
const readable = (text: string): string =>
  text.replace(/^\{"\w+":.*\}$/gm, (data) => fieldsOf(JSON.parse(data)).join("\n"));
const LONG = 90;
const fieldsOf = (data: object): string[] =>
  Object.entries(data).map(([name, value]) => {
    const text = JSON.stringify(value);
    return `  ${name} = ${text.length > LONG ? `${text.slice(0, LONG)}… (${text.length} characters)` : text}`;
  });

const taskOf = ({ shown }: Lived["it"], task: Task): string => {
  const { status = "error", statusMessage, inputRequests = {}, result, error } = task;
  const asks = Object.values(inputRequests).map(({ params }) => `asks (${params.mode ?? "form"}):\n${params.message}`);
  const end = shown(result?.content?.[0]?.text ?? "");
  return [shown(`${status}: ${statusMessage ?? JSON.stringify(error)}`), ...asks.map(shown), readable(end)]
    .filter((text) => text !== "")
    .join("\n");
};

async function roomOf(it: Lived["it"], id: string): Promise<string> {
  const room = await it.stays(`open ${id} --no-open`, /(http:\/\/127[^\s]+\/enter\/\S+)\s/);
  const { body } = await browser().get(room.found);
  const text = it.shown(printedPage(body));
  await room.end();
  return text;
}
