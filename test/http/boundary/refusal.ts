import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import type { HttpErrorCode } from "../../../src/mcp/http/http-error.ts";
import type { RawAnswer } from "../../support/endpoint.ts";

/** A refusal as every client reads it, and nothing of what is inside. */
export function expectRefusal(answer: RawAnswer, status: number, code: HttpErrorCode, id?: string | number | null) {
  expect({ status: answer.status, code: answer.json?.error?.data?.code }, answer.text).toEqual({
    status,
    code: `http.${code}`,
  });
  expect(answer.json).toMatchObject({
    jsonrpc: "2.0",
    error: { code: expect.any(Number), message: expect.any(String) },
  });
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.text).not.toMatch(/\n +at |node_modules|\/src\//);
  if (id !== undefined) expect(answer.json.id).toBe(id);
}

/** One socket that says what it is told; gives all that came until the other side closed. */
export async function onSocket(port: number, talk: (socket: Socket) => Promise<void> | void): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await talk(socket);
  await closed;
  return heard;
}
