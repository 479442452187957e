import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

function configured({ project, model, server: [command, ...args] }: Place) {
  const providers = [{ name: "Scripted", baseUrl: `${model.url}/v1`, apiKey: "none", models: ["scripted"] }];
  writeFileSync(join(project, "agents.config.json"), JSON.stringify({ nanocoder: { providers } }));
  const towow = { transport: "stdio", command, args };
  writeFileSync(join(project, ".mcp.json"), JSON.stringify({ mcpServers: { towow } }));
}

export const nanocoder: DrivenClient = {
  id: "nanocoder",
  title: "nanocoder",
  npm: "@nanocollective/nanocoder@1.30.0",
  asks: false,
  long: "chat",
  async prepare(place) {
    configured(place);
    return { command: ["nanocoder"] };
  },
  rules: [
    { see: /trust/i, keys: ["Enter"], row: "start", shows: "trust the folder" },
    { see: /Yes - execute|Do you want to execute/i, keys: ["Enter"], times: 12, row: "call", shows: "Yes / No" },
  ],
  ready: /What would you like|Type|>/,
  async headless(place) {
    configured(place);
    return { command: ["nanocoder", "--trust-directory", "--mode", "yolo", "run", "go"] };
  },
};
