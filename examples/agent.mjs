// An outside agent in the negotiation room (docs/agents.md). It chooses a scene, fills in the demand, proposes an edit of
// the network's text and comments on the offers. What is sent, and what is decided, stays the person's.
//
//   towow-mcp open --agent                              # prints ws://127.0.0.1:…/agent/ws?token=…
//   node examples/agent.mjs <address> "I need a product designer" [--scene design] [--edit "Remote is fine."]
//
// Without the token in the address the person lets it in with a click. Node 22 or newer; nothing to install.
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scene: { type: "string", default: "" },
    edit: { type: "string" },
    name: { type: "string", default: "Example agent" },
  },
});
const [address, need] = positionals;
if (address === undefined || need === undefined) {
  console.error('usage: node examples/agent.mjs <ws address> "<what is needed>" [--scene <word>] [--edit <sentence>]');
  process.exit(2);
}

const socket = new WebSocket(address);
const waiting = new Map();
let ids = 0;

/** Sends a message and gives the answer's payload. Rejects with the relay's code and sentence. */
function ask(type, payload) {
  const id = `req-${++ids}`;
  socket.send(JSON.stringify({ v: "mvp-0.2", type, id, payload }));
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const say = (text) => socket.send(JSON.stringify({ v: "mvp-0.2", type: "agent.message", payload: { text } }));
const call = (toolName, params, reason) => ask("tool.call", { toolName, params, reason });

socket.addEventListener("message", ({ data }) => {
  const { type, replyTo, payload } = JSON.parse(data);
  const asked = waiting.get(replyTo);
  waiting.delete(replyTo);
  if (type === "error") return asked?.reject(new Error(`${payload.code}: ${payload.message}`));
  asked?.resolve(payload);
  if (type === "user.message") console.log(`the person, at ${payload.stage}: ${payload.text}`);
  // `state.updated` is the truth: whatever was done, the next step follows from what the screen shows now.
  if (type === "state.updated") look(payload);
});
socket.addEventListener("close", ({ code, reason }) => console.log(`closed (${code}) ${reason}`));
socket.addEventListener("error", () => console.error(`cannot connect to ${address.split("?")[0]}`));

let newest;
let isBusy = false;
/** One step at a time, always for the newest state. */
async function look(state) {
  newest = state;
  if (isBusy) return;
  isBusy = true;
  while (newest !== undefined) {
    const current = newest;
    newest = undefined;
    await act(current).catch((error) => console.error(error.message));
  }
  isBusy = false;
}

const done = new Set();
const once = async (what, work) => {
  if (done.has(what)) return;
  done.add(what);
  await work();
};

async function act({ uiSpec, toolSchema }) {
  const sections = (kind) => uiSpec.sections.filter((section) => section.kind === kind);
  const can = (toolName) => toolSchema.some((tool) => tool.toolName === toolName);
  switch (uiSpec.stage) {
    case "scene": {
      const scenes = sections("list").flatMap(({ items }) => items);
      const text = (scene) => JSON.stringify(scene).toLowerCase();
      const scene = scenes.find((one) => text(one).includes(values.scene.toLowerCase())) ?? scenes[0];
      if (scene === undefined) return;
      if (!scene.selected) return call("select", { itemId: scene.id }, `It fits "${need}" best.`);
      return can("next") ? once("leave the scenes", () => call("next", {}, "The scene is chosen.")) : undefined;
    }
    case "profile":
      return once("profile", async () =>
        say("Your profile is yours to write; I add nothing to it. Go on when you like."),
      );
    case "demand":
      return once("demand", () =>
        call("setField", { fieldId: "intent", value: need }, "This is what you asked me for."),
      );
    case "decision": {
      const [sheet] = sections("sheet");
      if (sheet === undefined || values.edit === undefined) return;
      const reason = "You said so, and the text does not.";
      return once("edit", () => call("proposeText", { text: `${sheet.outgoing} ${values.edit}` }, reason));
    }
    case "negotiating":
      for (const { id, name, score, state } of sections("agents").flatMap(({ agents }) => agents))
        if (state === "offered")
          await once(`offer ${id}`, async () =>
            say(`${name} has made an offer; resonance ${Math.round(score * 100)} %.`),
          );
      return;
    case "done":
      return once("done", async () => {
        say(uiSpec.heading);
        const { logFile } = await ask("session.end", { reason: "the negotiation is over" });
        console.log(`the session is over; its log is ${logFile}`);
        socket.close();
      });
  }
}

socket.addEventListener("open", async () => {
  await ask("relay.join", { role: "agent", sessionId: "default", name: values.name });
  const { sessionId } = await ask("session.start", {});
  console.log(`in the room, as ${sessionId}`);
  // Until the person opens the page there is nothing to see; from then on every change arrives by itself.
  const snapshot = await ask("snapshot.get", {}).catch((error) => console.log(error.message));
  if (snapshot !== undefined) await look(snapshot);
});
