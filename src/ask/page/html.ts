import { html, raw } from "hono/html";
import type { Author } from "../../negotiation/display.ts";
import { showInvisible } from "../../safety/invisible.ts";
import type { Texts } from "../../text/index.ts";
import { turn } from "../../turn.ts";
import { differences } from "../diff.ts";
import { piiSentence, type SendRequest } from "../questions.ts";
import type { Shown } from "./open-page.ts";

type Html = ReturnType<typeof html>;

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--add:#1a7f3733;--del:#cf222e33}
body{font:1rem/1.6 system-ui,"PingFang SC","Noto Sans CJK SC",sans-serif;max-width:46rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.35rem}h2{font-size:1.05rem;margin-top:2rem}
.text{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.5rem;padding:1rem}
textarea{box-sizing:border-box;width:100%;min-height:14rem;font:inherit;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
button{font:inherit;padding:.55rem 1rem;margin:.75rem .5rem 0 0;border-radius:.5rem;border:1px solid var(--line);cursor:pointer}
button.main{background:#1f6feb;border-color:#1f6feb;color:#fff}
ins{background:var(--add);text-decoration:none}del{background:var(--del)}
.note{border-left:4px solid #d29922;padding:.25rem .75rem}.facts{opacity:.8}
#code{font-size:2rem;letter-spacing:.1em;font-variant-numeric:tabular-nums}
pre,input{font:inherit;font-family:ui-monospace,monospace;border:1px solid var(--line);border-radius:.5rem;padding:.55rem 1rem;overflow-wrap:anywhere;white-space:pre-wrap}
`;

/** The frame of every page. No script at all: it works the same where there is none. */
export function frame(texts: Texts, body: Html | Html[]) {
  return html`<!doctype html>
<html lang="${texts.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="same-origin"><title>${texts.page.decision}</title><style>${raw(STYLE)}</style></head>
<body><main>${body}</main></body></html>`;
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

const facts = (shown: Shown, { page }: Texts) =>
  html`<p class="facts">${[
    page.length([...shown.original].length),
    shown.host && page.goesTo(shown.host),
    shown.deadline,
  ]
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
