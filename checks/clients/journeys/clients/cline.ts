import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

async function configured({ run, server, model }: Place) {
  await run("cline", "auth", "-p", "openai", "-k", "none", "-m", "scripted", "-b", `${model.url}/v1`);
  await run("cline", "mcp", "add", "towow", "--yes", "--", ...server);
}

export const cline: DrivenClient = {
  id: "cline",
  title: "Cline",
  npm: "cline@3.0.65",
  asks: false,
  long: "chat",
  async prepare(place) {
    await configured(place);
    return { command: ["cline", "-i", "--auto-approve", "false"] };
  },
  rules: [
    { see: /Try ClinePass/, keys: ["Escape"] },
    {
      see: /Approve tool call\?/,
      keys: ["y"],
      times: 9,
      row: "call",
      shows: "Approve / Deny (nothing at all with its default, auto-approve)",
    },
  ],
  ready: /What can I do for you\?/,
  async headless(place) {
    await configured(place);
    return { command: ["cline", "please go on now"] };
  },
};
