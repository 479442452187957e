import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

export async function configured(place: Place) {
  await place.setup("codex");
  const file = join(place.home, ".codex", "config.toml");
  const own = readFileSync(file, "utf8");
  const lines = [
    'model = "scripted"',
    'model_provider = "scripted"',
    "check_for_update_on_startup = false",
    "[model_providers.scripted]",
    'name = "Scripted"',
    `base_url = "${place.model.url}/v1"`,
    'wire_api = "responses"',
    `[projects."${place.project}"]`,
    'trust_level = "trusted"',
  ];
  writeFileSync(file, `${lines.join("\n")}\n${own}`);
}

export const env = { OPENAI_API_KEY: "none" };

export const codex: DrivenClient = {
  id: "codex",
  title: "Codex",
  npm: "@openai/codex@0.169.0",
  asks: true,
  long: "terminal",
  async prepare(place) {
    await configured(place);
    return { command: ["codex"], env };
  },
  rules: [
    {
      see: /Allow the towow MCP server to run tool/,
      keys: ["Enter"],
      times: 9,
      row: "call",
      shows: "Allow / for this session / always",
    },
    { see: /1\. (?:Yes, send it|Send it to )/, keys: ["Enter"], row: "profile", shows: "a form with all of it" },
    { see: /1\. Broadcast /, keys: ["Enter"], row: "text", shows: "a form with all of it" },
  ],
  ready: /Ask Codex to do anything/,
  later: { see: /1\. Broadcast /, keys: ["Escape"], row: "text", shows: "Esc" },
  async headless(place) {
    await configured(place);
    const flags = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    return { command: ["codex", "exec", ...flags, "go"], env };
  },
};
