// A chat in a terminal around an agent of somebody's own: one line in, what the agent says out.
import { createInterface } from "node:readline";

const { MODEL_URL = "", SERVER = "[]" } = process.env;
const [command, ...args] = JSON.parse(SERVER);

/** As a library's user would name them. */
export const server = { command, args };
export const model = `${MODEL_URL}/v1`;

/** @param {(messages: { role: string, content: string }[]) => Promise<string>} answer */
export async function chat(answer) {
  const messages = [];
  const lines = createInterface({ input: process.stdin });
  process.stdout.write("you> ");
  for await (const content of lines) {
    messages.push({ role: "user", content });
    const said = await answer(messages);
    messages.push({ role: "assistant", content: said });
    process.stdout.write(`${said}\nyou> `);
  }
}
