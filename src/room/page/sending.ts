import type { UiSpec } from "../ui-spec-schema.ts";
import { guard } from "./guard.ts";
import { measure } from "./measure.ts";
import { change, current } from "./store.ts";

/** Of quiet before typed words go to the room. */
const TYPING_MS = 250;

/** One request at a time, so that words arrive before the click that sends them. */
let line: Promise<void> = Promise.resolve();
let typing: ReturnType<typeof setTimeout> | undefined;

/** Sends what is typed, and then does what a button says; "" only sends. */
export function send(what: string): Promise<void> {
  clearTimeout(typing);
  line = line.then(() => post(what)).catch(() => change({ isSending: false, isOffline: true }));
  return line;
}

/** Keeps what is being typed, and sends it when there is a pause. */
export function typed(id: string, value: string): void {
  change({ drafts: { ...current().drafts, [id]: value } });
  clearTimeout(typing);
  typing = setTimeout(() => void send(""), TYPING_MS);
}

async function post(what: string): Promise<void> {
  const { base, drafts } = current();
  const body = new URLSearchParams({ do: what });
  for (const [id, value] of Object.entries(drafts)) body.set(`f.${id}`, value);
  if (what !== "") change({ isSending: true });
  const answer = await fetch(`${base}/act`, { method: "POST", body, headers: { accept: "application/json" } });
  if (answer.status === 403 || answer.status === 410) return location.reload();
  const { late, ...shown } = (await answer.json()) as Shown & { late?: string };
  show(shown, true);
  change({ isSending: false, isOffline: false, ...(what !== "" && { late }) });
}

/** What the room shows, and which of its drawings it is. */
export interface Shown {
  uiSpec: UiSpec;
  revision: number;
}

/** Takes over what the room shows now. What is being typed stays as it is typed. `isOwn`: the person's click led to it. */
export function show({ uiSpec: spec, revision }: Shown, isOwn: boolean): void {
  const before = current();
  if (revision < before.revision) return; // an answer that an event has overtaken
  const values = valuesOf(spec);
  const drafts = Object.fromEntries(
    Object.entries(before.drafts).filter(([id, draft]) => values.has(id) && values.get(id) !== draft),
  );
  change({ spec, revision, drafts });
  document.documentElement.lang = spec.lang === "zh" ? "zh-CN" : "en";
  guard(spec, isOwn);
  if (!hasEditor(before.spec) && hasEditor(spec))
    queueMicrotask(() => document.querySelector<HTMLElement>(".layers textarea")?.focus());
  if (before.spec.stage !== spec.stage) scrollTo({ top: 0 });
  measure();
}

const hasEditor = ({ sections }: UiSpec): boolean =>
  sections.some((section) => section.kind === "sheet" && section.editor !== undefined);

const valuesOf = ({ sections }: UiSpec): Map<string, string> =>
  new Map(
    sections.flatMap((section) => {
      if (section.kind === "form") return section.fields.map(({ id, value }) => [id, value] as const);
      if (section.kind === "agent" && section.field !== undefined)
        return [[section.field.id, section.field.value] as const];
      return section.kind === "sheet" && section.editor !== undefined
        ? [[section.editor.field.id, section.editor.field.value] as const]
        : [];
    }),
  );
