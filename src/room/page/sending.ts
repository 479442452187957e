import type { UiSpec } from "../ui-spec-schema.ts";
import { guard, holdNewStage, watchEnds } from "./guard.ts";
import { excessOf, fieldsIn } from "./lengths.ts";
import { measure } from "./measure.ts";
import { sectionOf } from "./sections.ts";
import { change, current } from "./store.ts";
import { setTime } from "./time.ts";
import { type RoomForm, transport } from "./transport.ts";

/** Of quiet before typed words go to the room; and so long they wait at most, in ms, while somebody types on. */
const TYPING_MS = 250;
const TYPED_AT_MOST_MS = 1_000;
/** After which a room that does not answer is asked again. */
export const RETRY_MS = 3_000;
/**
 * So long an answer may take, in ms. A browser holds back what finds no free connection, and would send it whenever one
 * is; what the room has begun by then it ends by itself.
 */
const READ_LIMIT_MS = 10_000;
export const ACT_LIMIT_MS = 20_000;
/** Answers of an endpoint at which this browser is in no room, or the room at no address, any more. */
const GONE: readonly number[] = [403, 404, 410];
/** At which the same again would be refused again. */
const REFUSED: readonly number[] = [400, 413];

/** One request at a time, so that words arrive before the click that sends them. */
let line: Promise<void> = Promise.resolve();
let typing: ReturnType<typeof setTimeout> | undefined;
/** Since when words wait, in ms of the page's own time. */
let waitingSince: number | undefined;
/** A turn in which only words are sent has not begun: it carries those that are typed until then. */
let isTurnAhead = false;
let retry: ReturnType<typeof setTimeout> | undefined;

/** The click that is on its way: a second one on the same button is the same. */
let underway = "";

/** What has not been answered yet; `end` gives it up. */
let unanswered: { what: string; end: () => void } | undefined;
/** Whether the person has withdrawn: a yes from before that is still here does not leave any more. */
let withdrawals = 0;

/** Sends what is typed, and then does what a button says; "" only sends. */
export function send(what: string): Promise<void> {
  if (what !== "" && what === underway) return line;
  clearTimeout(typing);
  waitingSince = undefined;
  if (what === "" && isTurnAhead) return line;
  isTurnAhead = what === "";
  if (what !== "") underway = what;
  if (isAct(what, "withdraw")) {
    withdrawals += 1;
    if (isAct(unanswered?.what, "broadcast")) unanswered?.end();
  }
  const before = withdrawals;
  const isOvertaken = () => isAct(what, "broadcast") && withdrawals > before;
  line = line
    .then(() => {
      if (what === "") isTurnAhead = false;
      return isOvertaken() ? undefined : post(what);
    })
    .catch(() => {
      if (!isOvertaken()) lost();
    })
    .finally(() => {
      if (what === underway) underway = "";
    });
  return line;
}

const isAct = (what: string | undefined, tool: string): boolean => what?.split("?", 1)[0] === tool;

/** The room does not answer: the page says so, and asks until it does. */
function lost(): void {
  change({ isSending: false, isOffline: true });
  clearTimeout(retry);
  retry = setTimeout(() => void send(""), RETRY_MS);
}

/** The address says what to do now; but words that stand on this page alone are not thrown away for it. */
function gone(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("textarea,input[type=text]");
  if ([...fields].every(({ value }) => value === "")) transport.leave();
  else change({ isSending: false, isOffline: false, isGone: true });
}

/** Keeps what is being typed, and sends it when there is a pause, or when it has waited long enough. */
export function typed(id: string, value: string): void {
  change({ drafts: { ...current().drafts, [id]: value }, late: undefined });
  clearTimeout(typing);
  waitingSince ??= performance.now();
  const left = waitingSince + TYPED_AT_MOST_MS - performance.now();
  typing = setTimeout(() => void send(""), Math.max(0, Math.min(TYPING_MS, left)));
}

/** Fields that the person has left since the room was last told. */
const left = new Set<string>();

/** The person has gone on from a field: the room may say what it lacks. */
export function leave(id: string): void {
  left.add(id);
  void send("");
}

/** The page goes, or may: each text that the room does not have yet leaves by itself, and nobody waits for an answer. */
export function sendParting(): void {
  for (const [id, value] of Object.entries(unsent())) transport.part({ do: "", [`f.${id}`]: value });
}

/** What the room would take and does not have yet. */
function unsent(): Record<string, string> {
  const { drafts, spec } = current();
  const fields = new Map(fieldsIn(spec).map((field) => [field.id, field]));
  return Object.fromEntries(Object.entries(drafts).filter(([id, draft]) => !excessOf(fields.get(id), draft)));
}

async function post(what: string): Promise<void> {
  const drafts = unsent();
  const form: Record<string, string> = { do: what };
  for (const [id, value] of Object.entries(drafts)) form[`f.${id}`] = value;
  const told = [...left];
  if (left.size > 0) form.left = told.join();
  if (what !== "") change({ isSending: true });
  const request = new AbortController();
  unanswered = { what, end: () => request.abort() };
  const limit = setTimeout(unanswered.end, what === "" ? READ_LIMIT_MS : ACT_LIMIT_MS);
  const answer = await answerTo(form, request.signal).finally(() => {
    clearTimeout(limit);
    unanswered = undefined;
  });
  if (answer === "gone") return gone();
  if (answer === "refused") return refused(drafts);
  for (const id of told) left.delete(id);
  const { late, ...shown } = answer;
  if (isAct(what, "say")) forget("message", drafts.message);
  show(shown, what !== "" || Object.keys(drafts).length > 0);
  change({ isSending: false, ...(what !== "" && { late }) });
}

/** What was said stands in its box no longer, unless another word was typed since. */
function forget(id: string, said: string | undefined): void {
  const { [id]: typedNow, ...others } = current().drafts;
  if (typedNow === said) change({ drafts: others });
}

/** The longest of the texts is what was too much: the others are sent without it. */
function refused(sent: Readonly<Record<string, string>>): void {
  const { drafts, spec } = current();
  const [longest] = Object.entries(sent).sort(([, a], [, b]) => b.length - a.length);
  const others = Object.entries(drafts).filter(([id]) => id !== longest?.[0]);
  change({ isSending: false, isOffline: false, drafts: Object.fromEntries(others), late: spec.file.tooLarge });
}

/** What the room says, if it takes this at all, and this browser is still in it. */
async function answerTo(form: RoomForm, signal: AbortSignal) {
  const answer = await transport.act(form, signal);
  if (GONE.includes(answer.status)) return "gone";
  if (REFUSED.includes(answer.status)) return "refused";
  return (await answer.json()) as Shown & { late?: string };
}

/** What a room shows, which room and which of its drawings it is, and when it was sent, in ms by the server's clock. */
export interface Shown {
  uiSpec: UiSpec;
  room: string;
  revision: number;
  now: number;
}

/** Takes over what the room shows now. What is being typed stays as it is typed. `isOwn`: the person's click led to it. */
export function show({ uiSpec: spec, room, revision, now }: Shown, isOwn: boolean): void {
  const before = current();
  setTime(now);
  change({ isOffline: false, isGone: false });
  if (room === before.room && revision < before.revision) return; // an answer that an event has overtaken
  change({ spec, room, revision, drafts: stillTyped(before.drafts, spec) });
  document.documentElement.lang = spec.lang === "zh" ? "zh-CN" : "en";
  guard(spec, isOwn && room === before.room);
  if (!hasEditor(before.spec) && hasEditor(spec))
    queueMicrotask(() => document.querySelector<HTMLElement>(".layers textarea")?.focus());
  if (before.spec.stage !== spec.stage) {
    holdNewStage();
    scrollTo({ top: 0 });
  }
  measure();
  watchEnds();
}

/** What the room does not have yet. An edit whose time ran out stays, and stands in the field that asks again. */
function stillTyped(drafts: Readonly<Record<string, string>>, spec: UiSpec): Record<string, string> {
  const values = valuesOf(spec);
  const { text } = drafts;
  const isOver = spec.stage === "done" && values.has("intent");
  const all = text === undefined || !isOver ? drafts : { intent: text, ...drafts };
  const isLate = ["passed", "sent"].includes(sectionOf(spec, "bar")?.urgency ?? "");
  return Object.fromEntries(
    Object.entries(all).filter(([id, draft]) => (values.has(id) ? values.get(id) !== draft : id === "text" && isLate)),
  );
}

const hasEditor = ({ sections }: UiSpec): boolean =>
  sections.some((section) => section.kind === "sheet" && section.editor !== undefined);

const valuesOf = (spec: UiSpec): Map<string, string> => new Map(fieldsIn(spec).map(({ id, value }) => [id, value]));
