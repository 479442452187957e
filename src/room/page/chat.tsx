import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import {
  GONE,
  PAGE_TOOL,
  type PageAnswer,
  type PageCall,
  type PageForm,
  type PageTicket,
  type PageWay,
  ROOM_META,
  TICKET_META,
} from "../../question/chat-wire.ts";
import { chatTexts, type Sayings } from "../../text/chat-page.ts";
import { bridgeTo, type HandedResult } from "./bridge.ts";
import { ChatApp, Plain, ToPage, type WaysOut } from "./chat-app.tsx";
import { displayNow, holdUntilStill, ignoreJumped, observeInChat } from "./display.ts";
import { observeBy } from "./hold.ts";
import { goLive } from "./live.ts";
import { sectionOf } from "./sections.ts";
import { ACT_LIMIT_MS, RETRY_MS, send, sendParting } from "./sending.ts";
import { type Boot, current, store, updateStore } from "./store.ts";
import { followTheme } from "./theme.ts";
import { time } from "./time.ts";
import type { RoomReply, Transport } from "./transport.ts";

/** How often the page asks for news, in ms: while it is in view and something moves, and otherwise. */
const MOVING_MS = 2_000;
const QUIET_MS = 10_000;
/** How long the first answer may take, in ms. */
const BOOT_LIMIT_MS = 20_000;

/** The first ticket that this page was given. A ticket that a host hands over later belongs to another question. */
let ticket: string | undefined;
/** The draft from the room's last answer, which the next call brings along. */
let draft: string | undefined;
/** True if the page has stopped asking for good. */
let isOver = false;
let isInView = true;
let lang: "zh" | "en" = navigator.language.startsWith("zh") ? "zh" : "en";

const ways = signal<WaysOut>({ toPage: undefined, toFullScreen: undefined });
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

const bridge = bridgeTo(parent, {
  onContext,
  onResult: (result) => void take(result),
  onForm(asked, answer) {
    if (ticket !== undefined || answerForm !== undefined) return answer("cancel"); // the form belongs to another question
    answerForm = answer;
    void take(asked);
  },
  onCancelled: () => ticket ?? say("cancelled"),
  onTeardown() {
    if (store.value !== undefined) sendParting();
    isOver = true;
  },
});

/** Answers the host, if it has drawn this page in place of a form and waits for an answer. */
let answerForm: ((action: "accept" | "cancel") => void) | undefined;

/**
 * Lets the host go on. `accept` says only that the page has nothing more to ask, because the room has already written
 * the decision down.
 */
function endForm(action: "accept" | "cancel"): void {
  answerForm?.(action);
  answerForm = undefined;
}

/** What the page says in place of a question. */
let said: keyof Sayings = "waiting";
/** The address at which the person can decide instead. */
let instead: string | undefined;

function say(what: keyof Sayings): void {
  said = what;
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
  const texts = chatTexts(lang);
  const open = () => void bridge.openLink(instead ?? "").catch(() => {});
  const isOnPage = what === "onPageOnly" || what === "onPageNoTicket";
  if (!isOnPage && what !== "waiting" && what !== "unreached") endForm("cancel");
  const way = isOnPage ? <ToPage label={texts.decideOnPage} onClick={open} /> : null;
  render(<Plain said={texts[what]}>{way}</Plain>, document.body);
}

function onContext(context: McpUiHostContext): void {
  followTheme(context);
  const { locale, displayMode = "inline", availableDisplayModes = [] } = context;
  if (locale !== undefined) lang = locale.startsWith("zh") ? "zh" : "en";
  if (store.value === undefined) say(said); // a question is already in its person's language, so only sayings are redrawn
  document.documentElement.dataset.mode = displayMode;
  const canFill = displayMode !== "fullscreen" && availableDisplayModes.includes("fullscreen");
  const fill = () => void bridge.display("fullscreen").catch(() => {});
  ways.value = { ...ways.value, toFullScreen: canFill ? fill : undefined };
}

/** Takes a result of the tool that this page is drawn for. */
async function take({ _meta, structuredContent }: Partial<HandedResult>): Promise<void> {
  const { ticket: key, url } = (_meta?.[TICKET_META] ?? {}) as Partial<PageTicket>;
  const { serverTools, openLinks } = await bridge.ready;
  if (ticket !== undefined) return;
  if (typeof key !== "string") {
    const waits = waitingIn(structuredContent);
    if (waits === undefined) return say("nothing");
    instead = serverTools && openLinks && (await addressFor(waits).catch(() => undefined));
    return say(instead === undefined ? "noTicket" : "onPageNoTicket");
  }
  if (serverTools === undefined) {
    if (openLinks === undefined || typeof url !== "string") return say("noTools");
    instead = url;
    return say("onPageOnly");
  }
  ticket = key;
  instead = url;
  if (openLinks !== undefined) ways.value = { ...ways.value, toPage: () => void openPage() };
  await open();
}

/**
 * Returns the id of the demand that waits for the person in a tool's result, or an empty text if the result is about a
 * profile. Returns undefined if nothing waits.
 */
function waitingIn(structured: unknown): string | undefined {
  const { data } = (structured ?? {}) as { data?: Record<string, unknown> };
  if (typeof data?.profile_hash === "string") return "";
  const isWaiting =
    data?.decision === null && typeof data.formulated_text === "string" && typeof data.deadline === "string";
  return isWaiting ? String(data.negotiation_id) : undefined;
}

/** Asks for the address of the question's page. This needs no ticket, which the host has withheld with every other `_meta`. */
async function addressFor(demand: string): Promise<string | undefined> {
  const { content } = await bridge.call(PAGE_TOOL, { path: "/page", demand } satisfies PageCall, {});
  const [said] = content;
  return said?.type === "text" ? (JSON.parse(said.text) as PageWay).url : undefined;
}

/** Draws the question as soon as its room answers. */
async function open(): Promise<void> {
  while (!isOver) {
    const reply = await call("/", { do: "", timeZone }, AbortSignal.timeout(BOOT_LIMIT_MS)).catch(() => undefined);
    if (reply?.status === GONE) return inChat.leave();
    if (reply?.status === 200) return begin((await reply.json()) as Boot);
    say("unreached");
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function begin(boot: Boot): void {
  ignoreJumped();
  observeBy(observeInChat);
  goLive(boot, inChat, () => render(<ChatApp ways={ways} />, document.body));
  holdUntilStill((isNow) => {
    isInView = isNow;
    inChat.follow();
  });
  document.documentElement.lang = boot.spec.lang === "zh" ? "zh-CN" : "en";
}

/**
 * Answers that take something back. No text is sent with them, because they must arrive and a full endpoint reads no
 * long message.
 */
const NO = /^(withdraw|cancel)\b/;

/** Calls the page's tool through the host. @throws if the host does not answer or keeps the answer to itself */
async function call(path: PageCall["path"], form: PageForm, signal?: AbortSignal): Promise<RoomReply> {
  const isShort = NO.test(form.do);
  const sent: PageCall = { path, form: { ...form, ...(draft !== undefined && !isShort && { draft }) } };
  const { _meta } = await bridge.call(PAGE_TOOL, sent, { [TICKET_META]: { ticket } }, signal);
  const answer = _meta?.[ROOM_META] as PageAnswer | undefined;
  if (answer === undefined) throw new Error("the host has kept the answer, or gave its own");
  if (!isShort) draft = answer.draft;
  return { status: answer.status, json: async () => JSON.parse(answer.body) };
}

/** Returns how the page knows that it is seen, and which text the person has seen whole. */
function shown(): Pick<PageForm, "shown" | "display"> {
  const { spec, isTextHeld } = current();
  const display = displayNow();
  if (display === undefined) return {};
  const yes = sectionOf(spec, "bar")?.actions.find(({ toolName }) => toolName === "broadcast");
  const hash = yes?.params.textHash;
  return { display, ...(!isTextHeld && hash !== undefined && { shown: hash }) };
}

let again: ReturnType<typeof setTimeout> | undefined;

const inChat: Transport = {
  act({ do: what = "", ...typed }, signal) {
    const form = NO.test(what) ? {} : { ...typed, timeZone, until: `${Math.floor(time()) + ACT_LIMIT_MS}` };
    return call("/act", { ...form, do: what, ...shown() }, signal);
  },
  part: (form) => void call("/act", { ...form, do: "" }).catch(() => {}),
  follow() {
    clearTimeout(again);
    if (isOver || current().isGone || current().spec.stage === "done") return;
    const isQuick = isInView && !document.hidden && isMoving();
    again = setTimeout(() => void send("").then(inChat.follow), isQuick ? MOVING_MS : QUIET_MS);
  },
  leave() {
    isOver = true;
    say("over");
  },
};

/** Returns whether the screen may change without an act of the person. */
const isMoving = (): boolean => {
  const { spec } = current();
  return spec.stage === "negotiating" || sectionOf(spec, "bar")?.timer !== undefined;
};

/** Opens the question's page in a browser. */
async function openPage(): Promise<void> {
  try {
    const { url = instead } = (await (await call("/page", { do: "" })).json()) as PageWay;
    if (url === undefined) throw new Error("there is no page");
    await bridge.openLink(url);
  } catch {
    updateStore({ late: chatTexts(current().spec.lang).noPage });
  }
}

let height = 0;
new ResizeObserver(() => {
  const now = Math.ceil(document.body.getBoundingClientRect().height);
  if (now === height || document.documentElement.dataset.mode === "fullscreen") return;
  height = now;
  bridge.resized(now);
}).observe(document.body);

document.addEventListener("visibilitychange", () => {
  if (store.value === undefined) return;
  if (document.hidden) sendParting();
  else if (!isOver) void send("").then(inChat.follow);
});

effect(() => {
  const stage = store.value?.spec.stage;
  if (stage === "done") clearTimeout(again);
  if (stage !== undefined && stage !== "decision" && stage !== "profile") endForm("accept");
});

say("waiting");
bridge.ready.catch(() => say("noTools"));
