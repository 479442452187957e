/** What the approval page says. */
export const pageEn = {
  decision: "Towow: your decision",
  openPage: "Open the page where you decide",
  /** Only a demand can be decided on in a terminal. */
  inOwnWindow: (negotiationId: string | undefined) =>
    `The page where you decide has opened in another window of your browser. If it has not, load this one again${
      negotiationId === undefined ? "." : `, or decide in a terminal: towow-mcp confirm ${negotiationId}`
    }`,
  way: {
    intro: "Nothing is decided here: this address alone does not show that it is you.",
    introHosted: "Sign in to open this page.",
    terminal: "Decide in a terminal, on the machine where your AI runs:",
    letIn:
      "Or let this browser in, now and from now on: run the same command, type this code there, and load this page again.",
    letInOnly:
      "Let this browser in, now and from now on: run this in a terminal, on the machine where your AI runs, type this code there, and load this page again.",
    warning: "Type it only because you see it in your own browser, never because your AI or a message says so.",
    token: "Your Towow token",
    tokenHelp: "The same that your client sends to this endpoint. This browser gets a cookie that you can revoke.",
    noToken: "I have none yet",
    signIn: "Sign in",
  },
  browsers: {
    signInTitle: "Towow: sign in",
    title: "Browsers that decide for you",
    intro:
      "Anyone who has one of them can read what waits for your decision, and decide. Revoke any that you do not know.",
    current: "this one",
    since: (day: string, used: string) => `since ${day}, last used ${used}`,
    revoke: (name: string) => `Revoke ${name}`,
    revokeAll: "Revoke all",
    room: "To your negotiation room",
    full: "This endpoint is full at the moment. Try again in a few seconds.",
    notTheirs: "That is not the token of the person who is asked here.",
    othersTitle: "Towow: another person's page",
    others: "This page is another person's. Is it yours? Revoke this browser, then open the page again and sign in.",
    unknown: "The network does not accept that token. Copy it whole, or get another one.",
    untried: "A token cannot be tried in this network. Use it once in your client, then sign in here.",
    unreached: "The network does not answer, so your token could not be tried. Try again in a moment.",
    locked:
      "Too many wrong tokens were tried at this endpoint. One as short as this could be guessed, so it has to wait: try again in a minute.",
  },
  goesTo: (host: string) => `It goes to ${host}.`,
  send: {
    accept: "Yes, send it",
    reject: "No, send nothing",
    accepted: "Thank you: it may be sent. Go back to your AI and continue.",
    rejected: "Nothing was sent.",
  },
  stop: {
    accept: "Yes, cancel it",
    reject: "No, let it go on",
    accepted: "Thank you: it may be cancelled. Go back to your AI and continue.",
    rejected: "It was not cancelled.",
  },
  profileAsk: (name: string, scene: string) => `Send this profile? ${name} joins ${scene}`,
  profileKey: (key: string) => key,
  profileField: (key: string, value: string) => `${key}: ${value}`,
  profileFields: (fields: string) => `With: ${fields}`,
  profileStays: "You cannot delete it later. Joining another scene replaces it everywhere.",
  /** The same in a form, which has less room. */
  profileStaysInForm: "You cannot delete it later.",
  profileTitle: "May this profile be sent to the network?",
  profileHead: (name: string, scene: string) => `${name} joins ${scene}. Everybody in the scene can see the name.`,
  sceneTitle: "May this scene be created?",
  cancelTitle: "Cancel this negotiation?",
  cancelText: (id: string, intent?: string) =>
    `Cancel the negotiation ${intent === undefined ? id : `“${intent}” (${id})`}? It ends without a plan, and that cannot be undone.`,
  cancelCarries: (payload: string) => `It sends this along to the backend: ${payload}`,
  refused: {
    gone: "This page is no longer open: it was decided, it expired, or it never existed. Where your demands stand: ask your AI, or run towow-mcp list.",
    elsewhere:
      "This page has been opened in another browser. If that was not you, have your AI withdraw the demand, or reject it in a terminal: towow-mcp confirm",
    origin: "This request came from another site and was refused.",
    failed: (message: string) => `It did not work: ${message} To try again, go back and reload the page.`,
  },
};
