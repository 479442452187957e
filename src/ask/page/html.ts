import { html, raw } from "hono/html";
import type { Author } from "../../negotiation/display.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { BASE } from "../../style/base.ts";
import { mark } from "../../style/mark.ts";
import { TOKENS } from "../../style/tokens.ts";
import type { Texts } from "../../text/index.ts";
import { turn } from "../../turn.ts";
import { differences } from "../diff.ts";
import { piiSentence, type SendRequest } from "../questions.ts";
import type { Shown } from "./open-page.ts";

type Html = ReturnType<typeof html>;

/** As the negotiation room looks: the same colours, which mean the same. */
const STYLE = `${TOKENS}${BASE}
body{display:block}main{max-width:760px;margin:0 auto;padding:0 var(--6) var(--7)}
h1{padding-block:var(--5) var(--2)}h2{margin-top:var(--6)}p{margin-top:var(--2)}ul{margin-top:var(--4)}li+li{margin-top:var(--3)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;font:var(--l) var(--sans);background:var(--surface);border:1px solid var(--line);border-radius:var(--r3);box-shadow:var(--shadow);padding:var(--4) var(--5);margin-top:var(--3)}
textarea{width:100%;min-height:14rem;font:inherit;color:inherit;background:var(--surface);padding:var(--3) var(--4);margin-top:var(--3);border:1px solid var(--edge);border-radius:var(--r2)}
button{font:500 15px/24px var(--sans);min-height:44px;padding:9px 18px;margin:var(--4) var(--2) 0 0;border-radius:var(--r2);border:1px solid var(--edge);background:var(--surface);color:var(--ink);cursor:pointer}button:hover{background:var(--sunk)}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}button.main:hover{background:color-mix(in srgb,var(--accent) 88%,var(--ink))}
button[value=reject]{color:var(--me)}button[value=reject]:hover{background:var(--me-bg)}
ins{background:var(--accent-bg);border-radius:3px}del{color:var(--muted);text-decoration:line-through}
.note{border-inline-start:3px solid var(--add);background:var(--sunk);border-radius:var(--r1);padding:var(--2) var(--3)}
.facts{display:block;color:var(--muted)}[data-author]{font-weight:600}[data-author=network]{color:var(--add)}[data-author=ai],[data-author=client]{color:var(--agent)}[data-author=person]{color:var(--ink)}
#code{font-size:2rem;line-height:2.5rem;letter-spacing:.1em}
pre,input{font:inherit;font-family:var(--mono);color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:var(--r2);padding:var(--2) var(--4);margin:var(--2) 0 0;overflow-wrap:anywhere;white-space:pre-wrap}
@media (max-width:720px){main{padding-inline:var(--4)}.text{font:17px/29px var(--sans);padding-inline:var(--4)}}
`;

/** The frame of every page. No script at all: it works the same where there is none. */
export function frame(texts: Texts, body: Html | Html[]) {
  return html`<!doctype html>
<html lang="${texts.lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="same-origin"><title>${texts.page.decision}</title><style>${raw(STYLE)}</style></head>
<body><main><div class="top">${raw(mark())}</div>${body}</main></body></html>`;
}

/** Whose words a text is; it stands above each. */
const byline = (author: Author, { author: say }: Texts) =>
  html`<p class="facts" data-author="${author}">${say[author]}</p>`;

const asked = (shown: Shown) => html`<input type="hidden" name="confirmation_id" value="${shown.confirmationId}">`;

const warnOf = (text: string, texts: Texts) => {
  const sentence = piiSentence(text, texts);
  return sentence === undefined ? "" : html`<p class="note" role="alert">${sentence}</p>`;
};

/** A text as it is shown, and what to look at twice in it; others have their turn after each. */
async function prepared(text: string, texts: Texts) {
  const visible = showInvisible(text);
  await turn();
  const warning = warnOf(text, texts);
  await turn();
  return { visible, warning };
}

const facts = (shown: Shown, { page, form }: Texts) =>
  html`<p class="facts">${[page.length([...shown.original].length), shown.host && form.to(shown.host), shown.deadline]
    .filter(Boolean)
    .join(" · ")}</p>`;

/** An editor; a browser drops the first line break after the tag, so that one is given away. */
const editor = (text: string, attributes: Html) => html`<textarea ${attributes} name="text">
${text}</textarea>`;

/** Of a text that somebody writes here, in UTF-16 units; what an argument may have too. */
export const MAX_TEXT_LENGTH = 20_000;

/** The question: the text whole, and the three ways out. */
export async function questionPage(shown: Shown, texts: Texts, note?: string, draft = shown.original) {
  const { page } = texts;
  const { visible, warning } = await prepared(shown.original, texts);
  return frame(
    texts,
    html`<h1>${page.title}</h1>
${note ? html`<p class="note" role="alert">${note}</p>` : ""}
<p>${page.intro}</p>
${visible === shown.original ? "" : html`<p class="note">${page.invisible}</p>`}
${warning}${byline(shown.author, texts)}<div class="text" id="formulated">${visible}</div>
${facts(shown, texts)}
<form method="post">${asked(shown)}<button class="main" name="decision" value="accept">${page.accept}</button>
<button name="decision" value="reject">${page.reject}</button></form>
<h2><label for="text">${page.editHeading}</label></h2>
<form method="post">${asked(shown)}${editor(draft, html`id="text" maxlength="${MAX_TEXT_LENGTH}"`)}
<button name="decision" value="preview">${page.preview}</button></form>`,
  );
}

/** A text by the person's AI: whose it is, all of it, how it differs from the network's, and an editor for it. */
export async function candidatePage(shown: Shown, candidate: string, texts: Texts) {
  const { page } = texts;
  const { visible, warning } = await prepared(candidate, texts);
  const compared = await comparison(shown.original, candidate, texts);
  return frame(
    texts,
    html`<h1>${page.candidateHeading}</h1><p class="note" role="alert">${page.candidateIntro}</p>
${visible === candidate ? "" : html`<p class="note">${page.invisible}</p>`}
${warning}${byline("ai", texts)}<div class="text" id="candidate">${visible}</div>
${facts({ ...shown, original: candidate }, texts)}
<form method="post">${asked(shown)}<button class="main" name="decision" value="candidate">${page.candidateSend}</button>
<button name="decision" value="original">${page.candidateOriginal}</button>
<button name="decision" value="reject">${page.reject}</button></form>
${compared}
<h2><label for="text">${page.candidateEdit}</label></h2>
<form method="post">${asked(shown)}${editor(candidate, html`id="text" maxlength="${MAX_TEXT_LENGTH}"`)}
<button name="decision" value="preview">${page.preview}</button></form>`,
  );
}

/** What an edit would send, whose words it is and how it differs, before it is sent. */
export async function previewPage(shown: Shown, edited: string, author: Author, texts: Texts) {
  const { page } = texts;
  const { visible, warning } = await prepared(edited, texts);
  const compared = await comparison(shown.original, edited, texts);
  return frame(
    texts,
    html`<h1>${page.previewHeading}</h1>
${visible === edited ? "" : html`<p class="note">${page.invisible}</p>`}
${warning}${byline(author, texts)}<div class="text" id="edited">${visible}</div>
${facts({ ...shown, original: edited }, texts)}
${compared}
<form method="post">${asked(shown)}${editor(edited, html`hidden`)}
<button class="main" name="decision" value="edit">${page.send}</button>
<button name="decision" value="back">${page.back}</button></form>`,
  );
}

async function comparison(original: string, edited: string, texts: Texts): Promise<Html> {
  const { page } = texts;
  const shown = showInvisible(original);
  await turn();
  const changes = await differences(shown, showInvisible(edited), texts.lang);
  const pieces = changes?.map(({ text, change }) =>
    change === "same"
      ? html`<span>${text}</span>`
      : change === "added"
        ? html`<ins>${text}</ins>`
        : html`<del>${text}</del>`,
  );
  await turn();
  return pieces === undefined
    ? html`<p class="note">${page.notCompared}</p><div class="text" id="original">${shown}</div>`
    : html`<h2>${page.diffHeading}</h2><div class="text" id="diff">${pieces}</div>`;
}

/** Whether something may be sent: all of it, and yes or no. */
export function sendPage({ title, text, findings, host }: SendRequest, texts: Texts) {
  const { page } = texts;
  return frame(
    texts,
    html`<h1>${title}</h1>
${findings ? html`<p class="note" role="alert">${findings}</p>` : ""}
<div class="text" id="sent">${showInvisible(text)}</div>
${host ? html`<p class="facts">${page.goesTo(host)}</p>` : ""}
<form method="post"><button class="main" name="decision" value="accept">${page.sendAccept}</button>
<button name="decision" value="reject">${page.sendReject}</button></form>`,
  );
}

/** One sentence, when there is nothing to decide here. */
export const messagePage = (message: string, texts: Texts) =>
  frame(texts, html`<h1>${texts.page.decision}</h1><p role="status" id="message">${message}</p>`);
