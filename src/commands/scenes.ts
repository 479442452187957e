import type { Io } from "../app/io.ts";
import { createRuntime, type RuntimeOptions } from "../app/runtime.ts";
import type { SceneSummary } from "../backend/contract.ts";
import { RouteMissing } from "../backend/errors.ts";
import { SANDBOX } from "../home/origin.ts";
import { requireBackend } from "../home/settings.ts";
import { sanitizeListedItem } from "../safety/sanitize/foreign.ts";
import { SANITIZE_DEFAULTS } from "../safety/sanitize/options.ts";
import { printable } from "../terminal/printable.ts";
import { type Cell, table } from "../terminal/table.ts";
import { textsForPerson } from "../text/index.ts";
import { negotiationsTexts } from "../text/negotiations.ts";
import { atOnce } from "../turn.ts";
import { CannotListScenes } from "../use/scenes.ts";
import { notePiped } from "./piped.ts";
import { printJson } from "./print.ts";
import { Printer, terminalOf } from "./printer.ts";

/** This is the person's own screen, so contact details that they may want are shown. */
const OPTIONS = { ...SANITIZE_DEFAULTS, redactPii: false };

/**
 * `towow-mcp scenes` lists the scenes of the configured backend. @throws CannotListScenes if the backend has no list
 */
export async function scenes({
  status,
  json,
  ...options
}: RuntimeOptions & { status?: string; json?: boolean }): Promise<void> {
  const { io } = options;
  const runtime = await createRuntime(options);
  try {
    const refused = runtime.live.problem();
    if (refused !== undefined) throw refused;
    const { lang, last_scene_id: joined } = requireBackend(runtime.live.current());
    const { origin, ...account } = runtime.account();
    const backend = await account.backend();
    const found = await backend.listScenes(status === undefined ? {} : { status }).catch((error: unknown) => {
      throw error instanceof RouteMissing ? new CannotListScenes({}, { cause: error }) : error;
    });
    if (found.length > 0) await notePiped(runtime); // Descriptions are shown whole, so they count as others' text.
    const clean = found.map((scene) => atOnce(sanitizeListedItem(scene, OPTIONS)).value);
    if (json) return void printJson(io, { backend: origin, joined: joined ?? null, scenes: clean }, 2);
    const printer = new Printer(terminalOf(io.stdout, io.env));
    show(clean, joined, printer, { io, lang });
    if (origin === SANDBOX) printer.text(textsForPerson(lang).sandbox.what, { style: "dim" });
  } finally {
    await runtime.close("leave");
  }
}

function show(
  found: readonly SceneSummary[],
  joined: string | undefined,
  printer: Printer,
  { io: { stdout }, lang }: { io: Io; lang: "zh" | "en" },
): void {
  const { scenes: texts } = negotiationsTexts(lang);
  if (found.length === 0) {
    printer.text(texts.none);
    return;
  }
  const rows = found.map(({ scene_id, name, agent_count, description }): Cell[] => [
    { text: oneLine(scene_id === joined ? name + texts.joined : name), style: "bold" },
    { text: oneLine(scene_id) },
    { text: String(agent_count) },
    { text: oneLine(description) },
  ]);
  const columns = [
    { title: texts.name, tooWide: "wrap" as const },
    { title: texts.id },
    { title: texts.agents, align: "right" as const, alone: texts.agentsAlone },
    { title: texts.about, tooWide: "wrap" as const },
  ];
  const width = stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY;
  for (const line of table(columns, rows, { width, paint: printer.style })) printer.line(line);
  printer.gap();
  printer.text(texts.join);
  printer.text(texts.others, { style: "dim" });
}

const oneLine = (text: string): string => printable(text).replace(/\s+/g, " ").trim();
