import { html } from "hono/html";
import { codeBox, closedPage as drawClosed, frame, type PageContext, pageColumn } from "../../ask/page/frame.ts";
import { COPY_SCRIPT } from "../../ask/page/page-scripts.ts";
import { roomTexts } from "../../text/room.ts";

/** Draws the page that says where an outside agent joins the person's room. The address alone lets an agent in. */
export function agentPage(context: PageContext, address: string) {
  const { invite } = roomTexts(context.texts.lang);
  const body = html`<h1>${invite.heading}</h1><p class="lead">${invite.lead}</p>${codeBox(address, invite.name, context.texts.page, "agent-address")}${COPY_SCRIPT.element}`;
  return frame(context, { title: invite.heading, body: pageColumn(body, true) });
}

export type Problem = "missing" | "failed" | "signedOut" | "busy";

/** How many of the six lines of the logo's hexagram are drawn whole on a page that replaces the room's page. */
const LINES = { missing: 0, failed: 4, signedOut: 3, busy: 4 } as const;

/** Draws a page that says why the room cannot be shown, with a link to go on. `address` is the room's. */
export function problemPage(context: PageContext, what: Problem, address: string) {
  const say = roomTexts(context.texts.lang);
  const { heading: title, lead } = say[what];
  const ways = [{ href: address, text: what === "signedOut" ? say.toSignIn : say.toRoom }];
  return drawClosed(context, { title, lead, lines: LINES[what], ways, isProblem: true });
}

/** Draws the page for a browser that has no room open, which says how to get a key. */
export function closedPage(context: PageContext) {
  const { closed } = roomTexts(context.texts.lang);
  return drawClosed(context, { title: closed.heading, lead: closed.lead, lines: 0, isProblem: true });
}
