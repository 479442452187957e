import { createHash } from "node:crypto";
import type { Context } from "hono";
import { html, raw } from "hono/html";

/** A script that a page can do without. The content security policy names it by its hash. */
interface PageScript {
  element: ReturnType<typeof html>;
  source: string;
}

const scriptOf = (code: string): PageScript => ({
  element: html`<script>${raw(code)}</script>`,
  source: `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
});

/** Adds a button to each box that can be copied, and shows each moment in the reader's time zone. */
const COPY = `for (const pre of navigator.clipboard ? document.querySelectorAll("pre[data-copy]") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "b";
  button.innerHTML = '<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="M5.5 5.5h8v8h-8zm5 0v-3h-8v8h3"/></svg>';
  const word = button.appendChild(document.createElement("span"));
  word.textContent = pre.dataset.copy;
  button.ariaLabel = pre.dataset.label;
  button.addEventListener("click", () =>
    navigator.clipboard.writeText(pre.textContent).then(() => (word.textContent = button.ariaLabel = pre.dataset.copied)));
  pre.after(button);
}
for (const time of document.querySelectorAll("time[datetime]"))
  time.textContent = new Intl.DateTimeFormat(document.documentElement.lang.replace(/^en$/, "en-GB"), { dateStyle: "clock" in time.dataset ? undefined : "long", timeStyle: "short" }).format(new Date(time.dateTime));`;

/**
 * Polls while a page waits to be let in, and reloads it once it is let in or closed. On any other answer, for example
 * from a proxy whose endpoint restarts, the page keeps its code. If the answer's code differs from the page's, the
 * page's code has expired.
 */
const WAIT = `const code = () => document.querySelector("#code");
const wait = setInterval(async () => {
  if (document.hidden || code() === null) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => undefined);
  if (answer?.ok || answer?.status === 410) return location.reload();
  if (answer?.status !== 403) return;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#code");
  if (now?.dataset.code === code().dataset.code) return;
  clearInterval(wait);
  for (const digit of code().querySelectorAll("span")) digit.textContent = "–";
  for (const part of document.querySelectorAll("[data-expired]")) part.hidden = !part.hidden;
}, 1_000);`;

/**
 * Disables the button that sends or ends something until every end that the page marks has been in the window above the
 * bar, and for a moment after (contract §10). The room's `hold.ts` does the same for a broadcast. An end that was seen
 * once counts as seen.
 */
const ARM = `const root = document.documentElement, bar = document.querySelector(".act");
const yes = bar.querySelector("[value=accept]"), more = document.querySelector("#more");
const unseen = new Set(document.querySelectorAll("[data-end]"));
let sight, armed;
const settle = () => {
  more.hidden = unseen.size === 0;
  if (unseen.size === 0) armed ??= setTimeout(() => yes.removeAttribute("aria-disabled"), 600);
};
const meet = (ends) => {
  for (const { isIntersecting, target } of ends) if (isIntersecting) unseen.delete(target);
  settle();
};
const look = () => {
  root.classList.toggle("tall", bar.clientHeight * 2 > innerHeight);
  const covered = getComputedStyle(bar).position === "sticky" ? bar.clientHeight : 0;
  root.style.setProperty("--bar", covered + "px");
  sight?.disconnect();
  sight = new IntersectionObserver(meet, { rootMargin: "0px 0px -" + covered + "px 0px" });
  for (const end of unseen) sight.observe(end);
};
yes.setAttribute("aria-disabled", "true");
root.classList.add("live");
more.addEventListener("click", () => {
  const [next] = unseen;
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "end" });
});
bar.addEventListener("submit", (event) => {
  if (event.submitter?.getAttribute("aria-disabled") === "true") event.preventDefault();
});
new ResizeObserver(look).observe(document.body);
addEventListener("resize", look);`;

export const ARM_SCRIPT = scriptOf(ARM);
export const COPY_SCRIPT = scriptOf(COPY);
export const WAIT_SCRIPT = scriptOf(WAIT);

interface Allowed {
  scripts?: readonly PageScript[];
  /** True if the page sends forms to this host. */
  sends?: boolean;
  /** True if the page has a script of its own that asks this host. */
  asks?: boolean;
  /** Another source to which the answer of the page's form may lead, as a content security policy names it. */
  leadsTo?: string;
}

/**
 * Returns the content security policy of a small page. It allows the page's own styles and these scripts, and nothing
 * from elsewhere.
 */
export function pagePolicy({ scripts = [], sends = true, asks = false, leadsTo }: Allowed = {}): string {
  const own = (is: boolean) => (is ? "'self'" : "'none'");
  const sources = scripts.length === 0 ? "'none'" : scripts.map(({ source }) => source).join(" ");
  return `default-src 'none'; style-src 'unsafe-inline'; script-src ${sources}; connect-src ${own(asks)}; form-action ${own(sends)}${leadsTo === undefined ? "" : ` ${leadsTo}`}; frame-ancestors 'none'; base-uri 'none'`;
}

/** Adds the content security policy to the answer, with the headers that every page carries. */
export function pageHeaders(c: Context, allowed?: Allowed): void {
  c.header("Content-Security-Policy", pagePolicy(allowed));
  c.header("Cache-Control", "no-store");
  c.header("Vary", "Accept-Language, Cookie");
  c.header("Referrer-Policy", "same-origin");
  c.header("X-Content-Type-Options", "nosniff");
}
