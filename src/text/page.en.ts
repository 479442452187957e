import { idInSentence } from "../quotation.ts";

/** What the approval page says. */
export const pageEn = {
  decision: "Towow: your decision",
  openPage: "Open the decision page",
  /** Only a demand can be decided on in a terminal. */
  inOwnWindow: (negotiationId: string | undefined) =>
    `The decision page has opened in another browser window. If it has not, reload this page${
      negotiationId === undefined ? "." : `, or decide in a terminal: towow-mcp confirm ${negotiationId}`
    }`,
  elsewhere: {
    demand:
      "This page is open in another browser. If that is not yours, withdraw the demand in a terminal, or ask your AI to do it.",
    permission: "This page is open in another browser. If that is not yours, answer here before somebody else does.",
  },
  way: {
    intro: "You cannot decide here yet: this address alone does not prove it is you.",
    introHosted: "Sign in to open this page.",
    terminal: "Decide in a terminal, on the machine where your AI runs:",
    letIn:
      "Or let this browser in, now and from now on: run the same command, type this code there and reload this page.",
    letInOnly:
      "Let this browser in, now and from now on: run this in a terminal, on the machine where your AI runs, type this code there and reload this page.",
    warning: "Type it only because you see it in your own browser, never because your AI or a message says so.",
    token: "Your Towow token",
    tokenHelp: "The one your client sends to this endpoint. This browser gets a cookie you can revoke.",
    noToken: "No token yet?",
    signIn: "Sign in",
  },
  browsers: {
    signInTitle: "Towow: sign in",
    title: "Browsers that decide for you",
    intro:
      "Anyone using one of these can read what waits for your decision, and decide. Revoke any you do not recognise.",
    current: "this one",
    since: (day: string, used: string) => `since ${day}, last used ${used}`,
    revoke: (name: string) => `Revoke ${name}`,
    revokeAll: "Revoke all",
    room: "To your negotiation room",
    full: "This endpoint is full at the moment. Try again in a few seconds.",
    notTheirs: "That token belongs to somebody else.",
    othersTitle: "Towow: another person's page",
    others: "This page is another person's. Is it yours? Revoke this browser, then open the page again and sign in.",
    unknown: "The network does not accept that token. Copy it whole, or get another one.",
    untried: "This network gives no way to check a token. Use it once in your client, then sign in here.",
    unreached: "The network does not answer, so your token could not be tried. Try again in a moment.",
    locked: "Too many wrong tokens were tried here, and one this short could be guessed. Try again in a minute.",
  },
  goesTo: (host: string) => `It goes to ${host}.`,
  send: {
    accept: "Yes, send it",
    reject: "No, send nothing",
    accepted: "Thank you: it may be sent. Go back to your AI and continue.",
    rejected: "Nothing was sent.",
  },
  stop: {
    accept: "Yes, withdraw it",
    reject: "No, let it go on",
    accepted: "Thank you: it may be withdrawn. Go back to your AI and continue.",
    rejected: "It was not withdrawn.",
  },
  /** A scene in a question: by its id, and by what its owner calls it where that can be shown. */
  scene: (id: string, name: string | undefined) =>
    name === undefined ? `${idInSentence(id)} (its name cannot be shown)` : `“${name}” (${idInSentence(id)})`,
  /** The same for an AI: between our own words to it stand nobody else's. */
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
  sceneTitle: "Create this scene?",
  sceneField: (key: string, value: string) => `${key.replaceAll("_", " ")}: ${value}`,
  cancelTitle: "Withdraw this demand?",
  cancelText: (id: string, intent?: string) =>
    `Withdraw the demand ${intent === undefined ? id : `“${intent}” (${id})`}? Its negotiation ends without a plan, and that cannot be undone.`,
  cancelCarries: (payload: string) => `It sends this along to the backend: ${payload}`,
  refused: {
    gone: "This page is closed: it was decided, it expired, or it never existed. To see where your demands stand, ask your AI or run towow-mcp list.",
    origin: "This request came from another site and was refused.",
    failed: (message: string) => `It did not work: ${message} To try again, go back and reload the page.`,
  },
};
