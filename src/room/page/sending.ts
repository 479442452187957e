import type { UiSpec } from "../ui-spec-schema.ts";
import { holdNewStage, holdUnseen, observeEnds } from "./hold.ts";
import { excessOf, fieldsIn } from "./lengths.ts";
import { measure } from "./measure.ts";
import { sectionOf } from "./sections.ts";
import { current, updateStore } from "./store.ts";
import { setTime } from "./time.ts";
import { type RoomForm, transport } from "./transport.ts";

/** How long typed words wait for a pause, and how long they wait at most while somebody goes on typing, in ms. */
const TYPING_MS = 250;
const TYPED_AT_MOST_MS = 1_000;
/** How long after a failure a room that does not answer is asked again, in ms. */
export const RETRY_MS = 3_000;
/**
 * How long an answer may take, in ms. A browser queues a request that finds no free connection and would send it much
 * later, so the page gives such a request up. The room finishes what it has begun within this time.
 */
const READ_LIMIT_MS = 10_000;
export const ACT_LIMIT_MS = 20_000;
/** Statuses by which an endpoint says that this browser has no room any more, or that no room is at this address. */
const GONE: readonly number[] = [403, 404, 410];
/** Statuses after which the same request would be refused again. */
const REFUSED: readonly number[] = [400, 413];

/** The end of the queue of requests. They are sent one at a time, so that words arrive before the click that sends them. */
let line: Promise<void> = Promise.resolve();
let typing: ReturnType<typeof setTimeout> | undefined;
/** When the words began to wait, in ms of the page's own time. */
let waitingSince: number | undefined;
/** True if a request that only sends words is queued. It will carry the words that are typed until it starts. */
let isTurnAhead = false;
let retry: ReturnType<typeof setTimeout> | undefined;

/** The click that is on its way. A second click on the same button is ignored. */
let underway = "";

/** The request that has not been answered yet. `end` gives it up. */
let unanswered: { what: string; end: () => void } | undefined;
/** Counts the person's withdrawals. A yes that was pressed before a withdrawal and is still queued is not sent. */
let withdrawals = 0;

/** Sends what is typed, and then does what a button says. If `what` is empty, only the typed words are sent. */
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

/** Says on the page that the room does not answer, and asks again until it does. */
function lost(): void {
  updateStore({ isSending: false, isOffline: true });
  clearTimeout(retry);
  retry = setTimeout(() => void send(""), RETRY_MS);
}

/** Leaves the page, unless words that exist only on it would be lost. */
function gone(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("textarea,input[type=text]");
  if ([...fields].every(({ value }) => value === "")) transport.leave();
  else updateStore({ isSending: false, isOffline: false, isGone: true });
}

/** Keeps what is being typed, and sends it at the next pause or when it has waited long enough. */
export function typed(id: string, value: string): void {
  updateStore({ drafts: { ...current().drafts, [id]: value }, late: undefined });
  clearTimeout(typing);
  waitingSince ??= performance.now();
  const left = waitingSince + TYPED_AT_MOST_MS - performance.now();
  typing = setTimeout(() => void send(""), Math.max(0, Math.min(TYPING_MS, left)));
}

/** The fields that the person has left since the room last learned of any. */
const left = new Set<string>();

/** Notes that the person has gone on from a field, so that the room may say what the field lacks. */
export function leave(id: string): void {
  left.add(id);
  void send("");
}

/** Sends each text that the room does not have yet when the page may go away. Nobody waits for an answer. */
export function sendParting(): void {
  for (const [id, value] of Object.entries(unsent())) transport.part({ do: "", [`f.${id}`]: value });
}

/** Returns the texts that the room would accept and does not have yet. */
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
  if (what !== "") updateStore({ isSending: true });
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
  updateStore({ isSending: false, ...(what !== "" && { late }) });
}

/** Empties the field of a message that was sent, unless something else has been typed since. */
function forget(id: string, said: string | undefined): void {
  const { [id]: typedNow, ...others } = current().drafts;
  if (typedNow === said) updateStore({ drafts: others });
}

/** Drops the longest of the refused texts, which must have been too much, so that the others can be sent. */
function refused(sent: Readonly<Record<string, string>>): void {
  const { drafts, spec } = current();
  const [longest] = Object.entries(sent).sort(([, a], [, b]) => b.length - a.length);
  const others = Object.entries(drafts).filter(([id]) => id !== longest?.[0]);
  updateStore({ isSending: false, isOffline: false, drafts: Object.fromEntries(others), late: spec.file.tooLarge });
}

/** Returns the room's answer, "refused", or "gone" if this browser is in no room any more. */
async function answerTo(form: RoomForm, signal: AbortSignal) {
  const answer = await transport.act(form, signal);
  if (GONE.includes(answer.status)) return "gone";
  if (REFUSED.includes(answer.status)) return "refused";
  return (await answer.json()) as RoomUpdate & { late?: string };
}

/**
 * What a room shows, with the ids of the room and of this drawing. `now` is the time of sending, in ms by the server's
 * clock.
 */
export interface RoomUpdate {
  uiSpec: UiSpec;
  room: string;
  revision: number;
  now: number;
}

/** Shows what the room shows now, and keeps what is being typed. `isOwn` is true if the person's own act led to this. */
export function show({ uiSpec: spec, room, revision, now }: RoomUpdate, isOwn: boolean): void {
  const before = current();
  setTime(now);
  updateStore({ isOffline: false, isGone: false });
  if (room === before.room && revision < before.revision) return; // an event has overtaken this answer
  updateStore({ spec, room, revision, drafts: stillTyped(before.drafts, spec) });
  document.documentElement.lang = spec.lang === "zh" ? "zh-CN" : "en";
  holdUnseen(spec, isOwn && room === before.room);
  if (!hasEditor(before.spec) && hasEditor(spec))
    queueMicrotask(() => document.querySelector<HTMLElement>(".layers textarea")?.focus());
  if (before.spec.stage !== spec.stage) {
    holdNewStage();
    scrollTo({ top: 0 });
  }
  measure();
  observeEnds();
}

/**
 * Returns the texts that the room does not have yet. An edit that ran out of time stays, because it fills the field for
 * a new demand.
 */
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
