import { effect } from "@preact/signals";
import { duration } from "../../duration.ts";
import type { UiSpec } from "../ui-spec-schema.ts";
import { ASKING } from "./controls.tsx";
import { MORE } from "./end.tsx";
import { enterOf } from "./enter.ts";
import { holdUnseen, observeEnds, showMore } from "./hold.ts";
import { keyOf } from "./key.ts";
import { fieldsIn } from "./lengths.ts";
import { measure } from "./measure.ts";
import { leave, send, typed } from "./sending.ts";
import { type Boot, current, store, storeOf, updateStore } from "./store.ts";
import { setTime, time } from "./time.ts";
import { setTransport, type Transport } from "./transport.ts";

const TICK_MS = 1_000;
/** How long a press of a button takes at most, in ms. */
const PRESS_MS = 250;

/** Makes the page live: clicks and typed words go to the room, and the room's changes come back. `draw` draws the page. */
export function goLive(boot: Boot, mine: Transport, draw: () => void): void {
  setTransport(mine);
  store.value = { ...storeOf(boot), drafts: typedAlready() };
  draw();
  listenToPerson();
  keepFocus(boot.spec.stage);
  setTime(boot.now);
  tick();
  document.documentElement.classList.add("live"); // from now on the bar lies over the text
  const resized = () => {
    measure();
    observeEnds();
  };
  new ResizeObserver(resized).observe(document.body);
  addEventListener("resize", resized); // a higher window may move the bar, even if the body keeps its height
  updateStore({ isLive: true });
  holdUnseen(boot.spec, false);
  measure();
  mine.follow();
  if (Object.keys(current().drafts).length > 0) void send("");
}

/** Returns what was typed before the script ran, or what the browser has restored. */
function typedAlready(): Record<string, string> {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[data-field]");
  const changed = [...fields].filter(({ value, defaultValue }) => value !== defaultValue);
  return Object.fromEntries(changed.map(({ dataset, value }) => [dataset.field ?? "", value]));
}

function listenToPerson(): void {
  // The second of two quick clicks was meant for what stood there before the first.
  document.addEventListener(
    "click",
    (event) => {
      if (event.detail > 1 && event.target instanceof Element && event.target.closest("button,summary") !== null)
        event.preventDefault();
    },
    true,
  );
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter?.closest(`.${ASKING}`)) goBack();
    if (submitter instanceof HTMLButtonElement && submitter.value !== "" && !isUnarmed(submitter)) press(submitter);
  });
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const { field } = target.dataset;
    if (field !== undefined) typed(field, target.value);
  });
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (keyOf(event) === "Escape") goBack();
    if (keyOf(event) !== "Enter" || !(target instanceof HTMLInputElement)) return;
    const what = enterOf(current().spec, target.dataset.field ?? "");
    if (what === undefined) return;
    event.preventDefault();
    if (target.value.trim() !== "" && !event.repeat && !isHeld()) void send(what);
  });
  document.addEventListener("focusout", ({ target }) => {
    const field = target instanceof HTMLElement ? target.dataset.field : undefined;
    // What appears now must not push a button away from under the pointer that presses it.
    if (field !== undefined && current().spec.stage === "profile") setTimeout(leave, PRESS_MS, field);
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    if (target.closest(`#${MORE}`) !== null) return showMore();
    const copied = target.closest<HTMLElement>("[data-copy]");
    if (copied !== null) return void copy(copied, async () => copied.dataset.copy ?? "").catch(() => {});
    const agent = target.closest("[data-agent]")?.getAttribute("data-agent");
    if (agent) void send(`select?itemId=${encodeURIComponent(agent)}`);
    else if (target.closest("[data-edit]") !== null && getSelection()?.isCollapsed !== false) void send("edit");
  });
  // Otherwise a browser would leave the page to open a file that is dropped beside its field.
  document.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    if (event.dataTransfer !== null && resumeAt(event) === undefined) event.dataTransfer.dropEffect = "none";
  });
  document.addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    const [resume, file] = [resumeAt(event), event.dataTransfer?.files[0]];
    if (resume !== undefined && file !== undefined) void takeFile(resume, file);
  });
}

/** Puts the text of a file into the field, or says why that cannot be done. */
async function takeFile(id: string, file: File): Promise<void> {
  const { spec } = current();
  const field = fieldsIn(spec).find((one) => one.id === id);
  const found = await textOfFile(file, field?.maxLength ?? 0);
  if (typeof found === "string") return updateStore({ late: spec.file[found] });
  typed(id, found.text);
}

const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

/** Returns the id of the résumé field under a dragged file. */
const resumeAt = ({ target }: DragEvent): string | undefined =>
  target instanceof HTMLTextAreaElement && target.id === "f-resume" ? "resume" : undefined;

/** Returns whether a button does nothing yet. Such a button keeps the focus and says why. */
const isUnarmed = (button: HTMLButtonElement): boolean => button.ariaDisabled === "true";

const isHeld = (): boolean => current().isOffline || current().isNewStage;

function press(button: HTMLButtonElement): void {
  if (button.value === "export?as=print") print();
  else if (button.value === "export?as=markdown") void copyPlan(current().base, button);
  else if (button.value === "export?as=report") location.assign(`${current().base}/report.html`);
  else void send(button.value);
}

/** Closes the question of a button, and returns the focus to that button. */
function goBack(): void {
  const asking = document.querySelector<HTMLDetailsElement>(`.${ASKING}[open]`);
  if (asking === null) return;
  asking.open = false;
  asking.querySelector("summary")?.focus();
}

/** Moves a lost focus to the new heading when the stage changes, for people who use a keyboard or a screen reader. */
function keepFocus(first: UiSpec["stage"]): void {
  let shown = first;
  effect(() => {
    const { stage } = current().spec;
    if (stage === shown) return;
    shown = stage;
    setTimeout(() => {
      const { activeElement } = document;
      if (activeElement !== document.body && activeElement?.matches(":disabled") !== true) return;
      const heading = document.querySelector<HTMLElement>("h1");
      if (heading === null) return;
      heading.tabIndex = -1; // focusable, but not by Tab
      heading.focus({ preventScroll: true });
    }); // after the page has been drawn
  });
}

function tick(): void {
  setInterval(() => {
    const now = time();
    updateStore({ now });
    const { title, sections } = current().spec;
    const bar = sections.find((section) => section.kind === "bar");
    const left = bar?.timer === undefined || bar.decideBy === undefined ? 0 : bar.decideBy - now;
    document.title = left > 0 ? `${duration(left)} · ${title}` : title;
  }, TICK_MS);
}

/** The most bytes that UTF-8 takes for one UTF-16 unit. */
const BYTES_A_UNIT = 3;
/** Characters that appear when a binary file is read as text. */
const NO_TEXT = /[\0\uFFFD]/;

/** Returns the text of a dropped file, or why the field cannot take it. A file that is too large is not read. */
async function textOfFile(file: File, maxLength: number): Promise<{ text: string } | "tooLarge" | "noText"> {
  if (file.type !== "" && !file.type.startsWith("text/")) return "noText";
  if (file.size > maxLength * BYTES_A_UNIT) return "tooLarge";
  const text = await file.text();
  return NO_TEXT.test(text) ? "noText" : { text };
}

/** Copies the plan's own Markdown, or downloads it as a file if the browser allows no clipboard. */
function copyPlan(base: string, button: HTMLButtonElement): Promise<void> {
  const address = `${base}/plan.md`;
  return copy(button, async () => (await fetch(address)).text()).catch(() => location.assign(address));
}

/** Puts a text on the clipboard, and shows that on its button for a moment. @throws if it cannot be copied */
async function copy(button: HTMLElement, text: () => Promise<string>): Promise<void> {
  await navigator.clipboard.writeText(await text());
  button.classList.add("ok");
  setTimeout(() => button.classList.remove("ok"), 1_500);
}
