import { clientEnv, trustFolder } from "../../captures/client.ts";
import type { DrivenClient } from "../client.ts";
import type { Place } from "../place.ts";

const env = (place: Place) => ({
  ...clientEnv(place),
  ENABLE_TOOL_SEARCH: "false",
});

export const claude: DrivenClient = {
  id: "claude",
  title: "Claude Code",
  npm: "@anthropic-ai/claude-code@2.1.332",
  asks: true,
  inBackground: true,
  long: "page",
  async prepare(place) {
    await place.setup("claude-code");
    trustFolder(place);
    return { command: ["claude", "--permission-mode", "default"], env: env(place) };
  },
  rules: [
    {
      see: /Do you want to proceed\?/,
      keys: ["Enter"],
      times: 9,
      row: "call",
      shows: "Yes / don't ask again in this folder",
    },
    {
      see: /Send this profile\?[\s\S]*❯ (?:Open in browser|Accept)/,
      keys: ["Enter"],
      elsewhere: "page",
      row: "profile",
      shows: "a page, opened by Enter",
    },
    {
      see: /Broadcast these[\s\S]*❯ (?:Open in browser|Accept)/,
      keys: ["Enter"],
      elsewhere: "page",
      row: "text",
      shows: "a page, opened by Enter",
    },
    { see: /❯ I'm done, continue/, keys: ["Enter"], times: 3 },
    {
      see: /requests your input/,
      keys: ["Right", "Enter", "Enter"],
      row: "text",
      shows: "a form with all of it, over whatever you do",
    },
  ],
  ready: /❯/,
  later: { see: /requests your input/, keys: ["Escape"], row: "text", shows: "Esc" },
  async headless(place) {
    await place.setup("claude-code");
    return { command: ["claude", "-p", "go", "--allowedTools", "mcp__towow__*"], env: env(place) };
  },
};
