import * as z from "zod";
import { phaseOf } from "../../negotiation/backend-states.ts";
import type { ToolResult } from "../../result/tool-result.ts";
import { aside } from "../../terminal/aside.ts";
import { COLOURS } from "../../terminal/paint.ts";
import { paragraph } from "../../terminal/paragraph.ts";
import { planLines } from "../../terminal/plan-lines.ts";
import { printable } from "../../terminal/printable.ts";
import { shellLine } from "../../terminal/shell-word.ts";
import { type Cell, type Column, table } from "../../terminal/table.ts";
import type { CliTexts } from "../../text/cli.ts";
import { joinList, joinSentences } from "../../text/join.ts";
import { agentsOf, byResonance } from "../../view/agents.ts";
import { agentLines } from "../../watch/agents.ts";
import type { Format } from "../../watch/format.ts";
import { planHeading } from "../../watch/pane.ts";
import { sheetLines, sheetOf } from "../../watch/sheet.ts";

type Texts = CliTexts["call"];
type Data = Readonly<Record<string, unknown>>;

/** A longer value gets its own paragraph. */
const SHORT = 60;
/** Fields that are shown in another way, or are of no use to a person. */
const ELSEWHERE = new Set([
  "participants",
  "plan_output",
  "demand_raw",
  "demand_formulated",
  "resume_with",
  "scenes",
  "agents",
  "open",
  "profile_summary",
  "risks",
  "evidence",
]);

const participants = z.array(
  z.object({
    agent_id: z.string(),
    display_name: z.string(),
    resonance_score: z.number(),
    state: z.string(),
    offer_content: z.unknown().transform((content) => content ?? null),
    offer_capabilities: z
      .array(z.string())
      .nullish()
      .transform((list) => list ?? null),
  }),
);
const risks = z.array(z.object({ reason: z.string(), follow_up: z.string().optional() }));
const rows = z.array(z.record(z.string(), z.unknown()));
const next = z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()) });

/** The columns of a list that are broken between words. An id stays whole, and goes below its row if it is too wide. */
const TEXTS = new Set(["name", "display_name", "description"]);

/** Lays out a tool's result for a person at a terminal as paragraphs and tables, with the command to type next. */
export function resultLines(result: ToolResult, texts: Texts, format: Format): string[] {
  const { error, summary, warnings, meta } = result;
  const { width, paint } = format;
  const say = (text: string, style?: Parameters<Format["paint"]>[0]) =>
    paragraph(printable(text), { width, paint, style, keepsLongWords: true });
  if (error !== null)
    return [
      ...say(error.message, ["bold", COLOURS.warn]),
      ...say(error.recovery_suggestion),
      ...(error.detail === undefined ? [] : say(texts.detail(error.detail), COLOURS.muted)),
      ...say(aside(error.code, width), COLOURS.muted),
    ];
  const data = (result.data ?? {}) as Data;
  return [
    ...say(summary),
    ...dataLines(data, summary, format),
    ...(meta.would_send === undefined ? [] : ["", ...say(JSON.stringify(meta.would_send, null, 1))]),
    ...Object.entries(meta.truncated_paths ?? {}).flatMap(([path, uri]) => say(texts.cut(path, uri), COLOURS.muted)),
    ...(warnings.length === 0 ? [] : ["", ...say(texts.warnings(joinList(warnings, format.all.lang)), COLOURS.muted)]),
    ...nextLines(data, texts, format),
  ];
}

function dataLines(data: Data, summary: string, format: Format): string[] {
  const { width, paint } = format;
  const found = participants.safeParse(data.participants).data ?? [];
  const agents = byResonance(agentsOf({ participants: found }, phaseOf(String(data.state)) === "over"));
  const plan = typeof data.plan_output === "string" ? data.plan_output : "";
  const fields = Object.entries(data).filter(([name, value]) => !ELSEWHERE.has(name) && isTold(value));
  const short = fields.filter(([, value]) => textOf(value).length <= SHORT && !textOf(value).includes("\n"));
  const long = fields.filter((field) => !short.includes(field));
  return [
    ...demandLines(data, format),
    ...(agents.length > 0 ? ["", ...agentLines(agents, format)] : []),
    ...(plan === "" ? [] : ["", ...planHeading(format), ...planLines(printable(plan), format)]),
    ...riskLines(data.risks, summary, format),
    ...listLines(data.scenes ?? data.agents, format),
    ...(short.length > 0 ? ["", ...fieldLines(short, format)] : []),
    ...long.flatMap(([name, value]) => [
      "",
      paint("bold", name),
      ...paragraph(printable(textOf(value)), { width, paint, first: "  ", keepsLongWords: true }),
    ]),
  ];
}

/**
 * Shows an undecided text in the same layout as the question about it, whose heading does not say that it goes out, because
 * the result does not say whether the text is being withdrawn. After the decision the person's own words are enough.
 */
function demandLines({ state, demand_raw: raw, demand_formulated: formulated }: Data, format: Format): string[] {
  if (typeof raw !== "string") return [];
  if (state === "formulated" && typeof formulated === "string")
    return ["", ...sheetLines(sheetOf(raw, formulated), format, false)];
  const { width, paint, texts } = format;
  return ["", ...paragraph(printable(texts.demand(raw)), { width, paint, style: COLOURS.muted })];
}

const isTold = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

function fieldLines(fields: readonly (readonly [string, unknown])[], { width, paint }: Format): string[] {
  const columns: Column[] = [{ title: "" }, { title: "", tooWide: "wrap" }];
  const cells = fields.map(([name, value]): Cell[] => [
    { text: name, style: COLOURS.muted },
    { text: printable(textOf(value)) },
  ]);
  return table(columns, cells, { width, paint, titles: false });
}

/** Lists the risks that the summary does not mention. Their evidence is for programs (`--json`). */
function riskLines(found: unknown, summary: string, { width, paint }: Format): string[] {
  const said = (risks.safeParse(found).data ?? [])
    .map(({ reason, follow_up }) => joinSentences([reason, follow_up]))
    .filter((text) => !summary.includes(text));
  if (said.length === 0) return [];
  const first = `${paint(COLOURS.warn, "!")} `;
  return ["", ...said.flatMap((text) => paragraph(printable(text), { width, paint, first }))];
}

/** Lists a tool's items. The columns are the fields of the first item. */
function listLines(list: unknown, { width, paint }: Format): string[] {
  const items = rows.safeParse(list).data ?? [];
  const names = Object.keys(items[0] ?? {});
  if (names.length === 0) return [];
  const columns = names.map((title): Column => {
    const alone = (text: string) => (title === "description" ? text : `${title}: ${text}`);
    return { title, tooWide: TEXTS.has(title) ? "wrap" : "below", alone };
  });
  const oneLine = (value: unknown) => printable(isTold(value) ? textOf(value) : "").replace(/\s+/g, " ");
  const cells = items.map((item) => names.map((name): Cell => ({ text: oneLine(item[name]) })));
  return ["", ...table(columns, cells, { width, paint })];
}

/**
 * Shows the command to type next. A demand that waits for a decision gets `confirm`, because no call from this command line
 * can decide on the demand.
 */
function nextLines(
  { resume_with, state, negotiation_id: id, profile_hash }: Data,
  texts: Texts,
  layout: Format,
): string[] {
  const { width, paint } = layout;
  const { data } = next.safeParse(resume_with);
  if (data === undefined) return [];
  const hash = typeof profile_hash === "string" ? { profile_hash } : {};
  const given = Object.entries({ ...data.params, ...hash }).map(([name, value]) => `${name}=${textOf(value)}`);
  const isWaiting = state === "formulated" && typeof id === "string";
  const command = isWaiting ? ["confirm", id] : ["call", data.tool, ...given];
  return [
    "",
    ...paragraph(texts.next, { width, paint }),
    `  ${paint(COLOURS.act, printable(shellLine(["towow-mcp", ...command])))}`,
  ];
}
