import { html, raw } from "hono/html";
import { closedPage, codeBox, frame, type Html, icon, type PageContext, pageColumn } from "../../../ask/page/frame.ts";
import { COPY_SCRIPT } from "../../../ask/page/page-scripts.ts";
import { mark } from "../../../style/mark.ts";
import { frontTexts } from "../../../text/front.ts";
import { joinSentences } from "../../../text/join.ts";
import { type SignInTexts, signInTexts } from "../../../text/sign-in.ts";
import type { Client } from "./clients.ts";
import { destinationOf } from "./redirects.ts";

/** The person for whom a program would act, as the page names them. */
export interface Person {
  /** Absent for the person of this machine. */
  id?: string | undefined;
  /** When this browser signed in, in ms since the epoch. */
  since: number;
}

/** A person and the `mark` that the form sends back, by which the server knows whom the page has named. */
type MarkedPerson = Person & { mark: string };

export interface Consent {
  client: Client;
  redirect: string;
  person: MarkedPerson | undefined;
  network: string;
  /** True if a new person is offered to join. */
  canJoin: boolean;
  policy: Policy;
  /** The sentence about a token that was sent and is not good. */
  problem?: string | undefined;
  browsersPath: string;
  /** The address at which another person can answer the same request. */
  asAnother: string;
}

/** The operator's policy. The page must not promise more than it keeps. */
export interface Policy {
  /** True if a person must decide by themselves, and no AI may pass on their yes. */
  isStrict: boolean;
  /** True if a text that nobody decides on goes out by itself. */
  leaves: boolean;
}

/** Asks a person whether a program may act for them, because nobody may act in their name unasked (seed 005). */
export function consentPage(context: PageContext, consent: Consent) {
  const say = signInTexts(context.texts.lang);
  const { client, policy, redirect, person, canJoin } = consent;
  const list = (heading: string, items: readonly string[], sign: "ok" | "hand" | "never") =>
    html`<section class="${sign}"><h2>${heading}</h2><ul>${items.map((item) => html`<li>${icon(sign)}<span>${item}</span></li>`)}</ul></section>`;
  const promise = policy.isStrict ? say.promise.ownHand : say.promise.form;
  const body = html`<div class="pair" aria-hidden="true"><span class="box ag">${icon("plug")}</span><i></i><span class="box">${raw(mark(6))}</span></div>
<h1>${whoWants(redirect, say)}${say.wants}</h1>
${destinationOf(redirect).kind === "computer" ? html`<p class="lead">${say.justStarted}</p>` : ""}<p class="promise">${joinSentences([promise, policy.leaves ? say.leaves : undefined])}</p>
<form method="post" class="card consent"><button name="do" value="check" class="vh" tabindex="-1" aria-hidden="true">${say.title}</button>
<dl class="kv"><dt>${say.name}</dt><dd>${calledAs(client, say)}</dd>
${person === undefined ? "" : html`<dt>${say.account}</dt><dd class="two">${person.id === undefined ? say.thisMachine : html`<span class="mono">${person.id}</span>`} <span class="mu">${say.since(person.since)}</span></dd><dd class="three"><a class="b t" href="${consent.asAnother}">${say.notYou}</a></dd>`}
<dt>${say.network}</dt><dd class="mono">${consent.network}</dd></dl>
${person === undefined ? whoAreYou(context, consent, say) : forWhom(person.mark)}
<div class="grants">${list(say.may, say.mayList, "ok")}${list(say.onlyYours, say.onlyYoursList, "hand")}${list(say.cannot, say.cannotList, "never")}</div>
${policy.isStrict ? "" : html`<label class="word"><input type="checkbox" name="word" value="yes"><span>${say.passesWord}<small>${say.passesWordHelp}</small></span></label>`}
<div class="foot"><button class="b big" name="do" value="deny" formnovalidate>${say.deny}</button>${person === undefined && canJoin ? html`<button class="b big go" name="do" value="allow"><span class="if-token">${say.allow}</span><span class="if-new">${say.joinAndAllow}</span></button>` : html`<button class="b big go" name="do" value="allow">${say.allow}</button>`}</div></form>
<p class="help">${say.revocable[0]}<a href="${consent.browsersPath}">${say.revocable[1]}</a>${say.revocable[2]}</p>`;
  return frame(context, { title: say.title, body: html`<div class="col m">${body}</div>` });
}

const forWhom = (mark: string): Html => html`<input type="hidden" name="person" value="${mark}">`;

/**
 * Returns the heading's subject. It names the address to which the answer goes, because that is checked and the
 * program's name is not.
 */
function whoWants(redirect: string, say: SignInTexts): Html {
  const to = destinationOf(redirect);
  if (to.kind === "host") return html`<b class="mono">${to.host}</b>`;
  return html`<b>${to.kind === "computer" ? say.computer : say.scheme(to.scheme)}</b>`;
}

function calledAs({ name, saidBy }: Client, say: SignInTexts): string {
  if (name === "") return say.nameless;
  return saidBy === undefined ? say.calledItself(name) : say.calledBy(name, saidBy);
}

function whoAreYou(context: PageContext, { canJoin, problem }: Consent, say: SignInTexts): Html {
  const { signIn } = context.texts.page;
  const note =
    problem === undefined
      ? html`<p class="help" id="note">${say.tokenStays}</p>`
      : html`<p class="help bad" id="note" role="alert">${problem}</p>`;
  const field = html`<div class="field"><input id="token" name="token" type="password" aria-label="${signIn.token}" autocomplete="current-password" spellcheck="false" aria-describedby="note"${problem === undefined ? "" : html` aria-invalid="true"`}>${note}</div>`;
  if (!canJoin)
    return html`<div class="pick"><input type="hidden" name="who" value="token"><p>${say.haveToken}</p>${field}</div>`;
  return html`<fieldset class="pick"><legend class="vh">${say.who}</legend>
<div><label><input type="radio" name="who" value="token" checked><span>${say.haveToken}</span></label>${field}</div>
<label><input type="radio" name="who" value="new"><span>${say.isNew}<small>${say.newHelp}</small></span></label></fieldset>`;
}

/** Shows a new person their token before the page leads on, because the token is shown nowhere else. */
export function joinedPage(
  context: PageContext,
  {
    token,
    isHereAlone,
    passesWord,
    mark,
  }: { token: string; isHereAlone: boolean; passesWord: boolean; mark: string | undefined },
) {
  const say = signInTexts(context.texts.lang);
  const { yours } = frontTexts(context.texts.lang);
  const body = html`<h1>${yours.title}</h1><p class="lead">${yours.once}</p>
${codeBox(token, yours.name, context.texts.page, "token")}<p class="help">${joinSentences([yours.opens, isHereAlone ? say.hereAlone : undefined])}</p>
<form method="post" class="on">${mark === undefined ? "" : forWhom(mark)}${passesWord ? html`<input type="hidden" name="word" value="yes">` : ""}<button class="b go big" name="do" value="allow">${say.goOn} ${icon("go")}</button><span class="s mu">${say.tokenKept}</span></form>${COPY_SCRIPT.element}`;
  return frame({ ...context, isAnswer: true }, { title: yours.title, body: pageColumn(body, true) });
}

/**
 * Shows why a request is refused. There is no redirect, because it would lead to an address of the request's choice.
 */
export function refusedPage(context: PageContext, why: "expired" | "unknownClient" | "wrongAddress" | "busy") {
  const say = signInTexts(context.texts.lang)[why];
  const { toFront } = frontTexts(context.texts.lang);
  return closedPage(context, { ...say, lines: 0, isProblem: true, ways: [{ href: "/", text: toFront }] });
}

/** Shows that the sign-in is done, because a browser that opens a program stays on this page. */
export function donePage(context: PageContext, address: string) {
  const { done: say } = signInTexts(context.texts.lang);
  const { title, lead, back, close } = say;
  return frame(
    { ...context, isAnswer: true },
    {
      title,
      head: html`<meta http-equiv="refresh" content="0; url=${address}">`,
      body: pageColumn(html`${raw(mark(6, "mark gua"))}<h1>${title}</h1><p class="lead" id="message" role="status">${lead}</p>
<p class="on"><a class="b go big" href="${address}">${back} ${icon("go")}</a></p><p class="help">${close}</p>`),
    },
  );
}
