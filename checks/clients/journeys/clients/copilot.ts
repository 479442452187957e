import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

function configured({ home, server: [command, ...args] }: Place) {
  mkdirSync(join(home, ".copilot"), { recursive: true });
  const towow = { type: "local", command, args, tools: ["*"] };
  writeFileSync(join(home, ".copilot", "mcp-config.json"), JSON.stringify({ mcpServers: { towow } }));
}

const env = ({ model }: Place) => ({
  COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
  COPILOT_MODEL: "scripted",
  COPILOT_OFFLINE: "true",
});

export const copilot: DrivenClient = {
  id: "copilot",
  title: "Copilot CLI",
  npm: "@github/copilot@1.0.102",
  asks: true,
  long: "page",
  async prepare(place) {
    configured(place);
    return { command: ["copilot", "--no-auto-update"], env: env(place), rows: 50 };
  },
  rules: [
    { see: /trust the files|Do you trust/i, keys: ["Enter"], row: "start", shows: "trust the folder" },
    {
      see: /Do you want to use this tool/,
      keys: ["Enter"],
      times: 9,
      row: "call",
      shows: "Yes / don't ask again in this folder",
    },
    { see: /❯ (?:Yes, send it|Send it to )/, keys: ["Enter"], row: "profile", shows: "a form with all of it" },
    {
      see: /Send this profile\?[\s\S]*enter open · esc cancel/,
      keys: ["Enter"],
      elsewhere: "page",
      row: "profile",
      shows: "a page, opened by Enter",
    },
    {
      see: /Broadcast these[\s\S]*enter open · esc cancel/,
      keys: ["Enter"],
      elsewhere: "page",
      row: "text",
      shows: "a page, opened by Enter",
    },
    { see: /❯ Broadcast /, keys: ["Enter"], row: "text", shows: "a form with all of it" },
  ],
  ready: /commands · \? help/,
  later: { see: /❯ Broadcast /, keys: ["Escape"], row: "text", shows: "Esc" },
  async headless(place) {
    configured(place);
    return { command: ["copilot", "-p", "go", "--allow-all-tools", "--no-auto-update"], env: env(place) };
  },
};
