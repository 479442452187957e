import { hydrate } from "preact";
import type { UiSpec } from "../ui-spec-schema.ts";
import { App } from "./app.tsx";
import { clockText } from "./frame.tsx";
import { copyPlan } from "./plan-copy.ts";
import { type Boot, change, current, store, storeOf } from "./store.ts";

/** How long after a text appeared, or changed under the person, its broadcast cannot be clicked. */
const GUARD_MS = 600;
/** Of quiet before typed words go to the room. */
const TYPING_MS = 250;
const TICK_MS = 1_000;
/** Head, rail and heading, with the caption below the map. */
const ABOVE_MAP = 260;

const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "") as Boot;
const startedAt = performance.now();
store.value = storeOf(boot);
hydrate(<App />, document.body);

/** The text whose broadcast was last guarded; the person's own changes need no guard. */
let guarded = "";
let isOwnChange = false;
let unguard: ReturnType<typeof setTimeout> | undefined;

function guard(spec: UiSpec): void {
  const outgoing = spec.sections.find(({ kind }) => kind === "sheet");
  const text = outgoing?.kind === "sheet" ? outgoing.outgoing : "";
  if (text === guarded) return;
  guarded = text;
  if (text === "" || isOwnChange) return;
  change({ isGuarded: true });
  clearTimeout(unguard);
  unguard = setTimeout(() => change({ isGuarded: false }), GUARD_MS);
}

/** Takes over what the room shows now. What is being typed stays as it is typed. */
function show(spec: UiSpec): void {
  const before = current();
  const values = valuesOf(spec);
  const drafts = Object.fromEntries(
    Object.entries(before.drafts).filter(([id, draft]) => values.has(id) && values.get(id) !== draft),
  );
  const wasEditing = hasEditor(before.spec);
  change({ spec, drafts });
  document.documentElement.lang = spec.lang === "zh" ? "zh-CN" : "en";
  guard(spec);
  if (!wasEditing && hasEditor(spec))
    queueMicrotask(() => document.querySelector<HTMLElement>(".layers textarea")?.focus());
  if (before.spec.heading !== spec.heading && before.spec.stage !== spec.stage) scrollTo({ top: 0 });
  measure();
}

const hasEditor = ({ sections }: UiSpec): boolean =>
  sections.some((section) => section.kind === "sheet" && section.editor !== undefined);

const valuesOf = ({ sections }: UiSpec): Map<string, string> =>
  new Map(
    sections.flatMap((section) => {
      if (section.kind === "form") return section.fields.map(({ id, value }) => [id, value] as const);
      return section.kind === "sheet" && section.editor !== undefined
        ? [[section.editor.field.id, section.editor.field.value] as const]
        : [];
    }),
  );

/** One request at a time, so that words arrive before the click that sends them. */
let line: Promise<void> = Promise.resolve();
let typing: ReturnType<typeof setTimeout> | undefined;

function send(what: string): Promise<void> {
  clearTimeout(typing);
  line = line.then(() => post(what)).catch(() => change({ isSending: false, isOffline: true }));
  return line;
}

async function post(what: string): Promise<void> {
  const { base, drafts } = current();
  const body = new URLSearchParams({ do: what });
  for (const [id, value] of Object.entries(drafts)) body.set(`f.${id}`, value);
  if (what !== "") change({ isSending: true });
  isOwnChange = true;
  const answer = await fetch(`${base}/act`, { method: "POST", body, headers: { accept: "application/json" } });
  if (answer.status === 403 || answer.status === 410) return location.reload();
  const { uiSpec } = (await answer.json()) as { uiSpec: UiSpec };
  show(uiSpec);
  isOwnChange = false;
  change({ isSending: false, isOffline: false });
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const { submitter } = event;
  if (!(submitter instanceof HTMLButtonElement) || submitter.value === "") return;
  if (submitter.value === "export?as=print") print();
  else if (submitter.value === "export?as=markdown") void copyPlan(current().base, submitter);
  else if (submitter.value.startsWith("export?")) location.assign(`${current().base}/report.html`);
  else void send(submitter.value);
});

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  const id = target.dataset.field;
  if (id === undefined) return;
  change({ drafts: { ...current().drafts, [id]: target.value } });
  clearTimeout(typing);
  typing = setTimeout(() => void send(""), TYPING_MS);
});

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const agent = target.closest("[data-agent]")?.getAttribute("data-agent");
  if (agent !== null && agent !== undefined) void send(`select?itemId=${encodeURIComponent(agent)}`);
  else if (target.closest("[data-edit]") !== null && getSelection()?.isCollapsed !== false) void send("edit");
});

/** Draws the map for the pixels that it has: text is never scaled. */
function measure(): void {
  const width = document.querySelector("[data-map]")?.clientWidth;
  const mapHeight = Math.max(440, Math.min(580, innerHeight - ABOVE_MAP));
  const { mapWidth, mapHeight: before } = current();
  if (width !== undefined && width > 0 && (width !== mapWidth || mapHeight !== before))
    change({ mapWidth: width, mapHeight });
}
new ResizeObserver(measure).observe(document.body);

setInterval(() => {
  const now = boot.now + (performance.now() - startedAt);
  change({ now });
  const bar = current().spec.sections.find((section) => section.kind === "bar");
  const left =
    bar?.kind === "bar" && bar.decideBy !== undefined && bar.urgency !== "sent" ? bar.decideBy - now : undefined;
  document.title =
    left === undefined || left <= 0 ? current().spec.title : `${clockText(left)} · ${current().spec.title}`;
}, TICK_MS);

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const events = new EventSource(`${boot.base}/events?${new URLSearchParams({ timeZone })}`);
events.addEventListener("state", ({ data }) => {
  change({ isOffline: false });
  show((JSON.parse(data) as { uiSpec: UiSpec }).uiSpec);
});
events.addEventListener("error", () => change({ isOffline: true }));
change({ isLive: true });
guard(boot.spec);
measure();
