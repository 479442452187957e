import { idInSentence } from "../quotation.ts";
import { browserName } from "./browser-name.ts";
import { byReader, command, say, yourHand } from "./reader.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const dayOf = (at: number): string => DAY.format(at);

/** What the approval page says. */
export const pageEn = {
  frame: { brand: "Towow", language: "中文", otherLang: "zh-CN" },
  code: { copy: "Copy", copyOf: (what: string) => `Copy: ${what}`, copied: "Copied" },
  decision: "Your decision",
  decided: "You have decided",
  openPage: "Open the decision page",
  /** The texts for a page that opened in a window of its own. Only a demand can also be decided on in a terminal. */
  ownWindow: {
    title: "Open in another window",
    lead: byReader({
      model: (negotiationId: string | undefined) =>
        negotiationId === undefined
          ? "The decision page has opened in another browser window. If it has not, reload this page."
          : say`The decision page has opened in another browser window. If it has not, reload this page, or decide ${yourHand(command("confirm", negotiationId))}`,
    }),
  },
  elsewhere: {
    title: "Open in another browser",
    demand:
      "This page answers only the browser that opened it first. Was that not you? Withdraw the demand in a terminal, or ask your AI to do it.",
    permission:
      "This page answers only the browser that opened it first. Was that not you? Then answer here before somebody else does.",
  },
  way: {
    title: "Is it you?",
    demand: "A text waits for your decision. This address alone does not prove that it is you.",
    permission: "A question waits for your answer. This address alone does not prove that it is you.",
    terminal: "On the computer where your AI runs, open a terminal and type",
    line: byReader({ model: (id?: string) => say`${command("confirm", ...(id === undefined ? [] : [id]))}` }),
    command: "the command",
    code: "It asks for this code",
    codeOf: (digits: string) => `Code: ${digits}`,
    waits: "Waiting for it. This page goes on by itself, and this browser stays known.",
    reload: "Then reload this page. This browser stays known.",
    expired: "This code has expired.",
    newCode: "New code",
    warning: [
      "Type it only because you see it here.",
      " If your AI or a message gives you a code, do not type it.",
    ] as readonly [string, string],
    orThere: "You can also decide right there, in the terminal.",
  },
  signIn: {
    title: "Sign in",
    act: "Sign in",
    next: {
      room: "Your room opens next.",
      decision: "Your decision opens next.",
      browsers: "Your browsers are listed next.",
    },
    token: "Your Towow token",
    help: "The one that your client uses here.",
    or: "or",
    new: "I am new here: get a token",
    newHelp: "You join as a new person. It opens nobody else’s account.",
    unknown: "Unknown token. Copy all of it, from the first to the last character.",
    untried: "Tokens cannot be checked on this network. Use yours once in your client, then sign in here.",
    unreached: "The network does not answer, so your token could not be tried. Try again in a moment.",
    locked: "Too many wrong tokens were tried here, and one this short could be guessed. Try again in a minute.",
    full: "This endpoint is full at the moment. Try again in a few seconds.",
    notTheirs: "That token belongs to somebody else.",
  },
  browsers: {
    title: "Your browsers",
    intro: "Each can read what waits for you, and decide. Revoke what you do not recognise. It takes effect at once.",
    clients: "Clients that use your token are not listed here.",
    nameOf: (name: string) => browserName(name, (program, system) => `${program} on ${system}`, "A browser"),
    current: "This browser",
    used: (at: number) => `Last used ${dayOf(at)}`,
    since: (at: number) => `since ${dayOf(at)}`,
    revoke: "Revoke",
    revoked: "Revoked just now",
    revokeOthers: "Revoke all but this browser",
    signOut: "Sign out",
    room: "To your room",
    othersTitle: "Another person’s page",
    others:
      "You are signed in as somebody else. If this page is yours, sign out in your list of browsers, then open it again.",
  },
  goesTo: (host: string) => `It goes to ${host}.`,
  send: {
    accept: "Yes, send it",
    reject: "No, send nothing",
  },
  stop: {
    accept: "Yes, withdraw it",
    reject: "No, let it go on",
  },
  /** Names a scene in a question by its id, and also by the name that its owner chose if that name can be shown. */
  scene: (id: string, name: string | undefined) =>
    name === undefined ? `${idInSentence(id)} (its name cannot be shown)` : `“${name}” (${idInSentence(id)})`,
  /**
   * Names a scene for an AI. The sentence holds no words of others, so that an AI reads only this program's words in
   * it.
   */
  sceneInResult: (id: string, name: string | undefined) =>
    name === undefined
      ? `${idInSentence(id)} (its name cannot be shown)`
      : `${idInSentence(id)} (scene_name holds its name)`,
  profileAsk: (sceneId: string) => `Send this profile? To ${idInSentence(sceneId)}`,
  profileAskNames: (scene: string | undefined, name: string) =>
    `${scene === undefined ? "Its name cannot be shown" : `“${scene}”`} · as ${name}`,
  profileKey: (key: string) => key,
  profileField: (key: string, value: string) => `${key === "display_name" ? "public name" : key}: ${value}`,
  profileStays: "You cannot delete it later.",
  profileReplaces: (elsewhere: string | undefined) =>
    `It replaces your name and profile ${elsewhere === undefined ? "everywhere" : `in ${elsewhere} and everywhere else`}.`,
  profileAs: (id: string) => `It is sent as ${idInSentence(id)}, which is not your id.`,
  profileReplacesTheirs: "It replaces the name and profile of that id everywhere.",
  profileAsNew: (id: string) => `It is registered as a new agent, ${idInSentence(id)}.`,
  profileTitle: "Send this profile to the network?",
  profileHead: (scene: string) => `Scene: ${scene}`,
  sceneKey: (key: string) => key.replaceAll("_", " "),
  sceneTitle: "Create this scene?",
  sceneField: (key: string, value: string) => `${key.replaceAll("_", " ")}: ${value}`,
  cancelTitle: "Withdraw this demand?",
  cancelText: (id: string, intent?: string) =>
    `Withdraw the demand ${intent === undefined ? id : `“${intent}” (${id})`}? Its negotiation ends without a plan, and that cannot be undone.`,
  cancelCarries: (payload: string) => `It sends this along to the backend: ${payload}`,
  refused: {
    gone: {
      title: "This page is closed",
      lead: byReader({
        model: say`It may have been decided or have expired, or the link may be wrong. To see where your demands stand, ask your AI or run ${command("list")}.`,
        endpoint:
          "It may have been decided or have expired, or the link may be wrong. To see where your demands stand, ask your AI.",
      }),
    },
    origin: { title: "Refused", lead: "This request came from another site." },
    failed: {
      title: "It did not work",
      lead: (message: string) => `${message} To try again, go back and reload the page.`,
    },
  },
};
