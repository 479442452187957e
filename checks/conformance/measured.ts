import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Endpoint, startEndpoint } from "../../test/support/endpoint.ts";
import { ERAS, type Scenario, scenariosOf } from "./suite.ts";

/** A demand about which nobody decides goes on by itself after this time. */
const CONFIRM_TIMEOUT_S = 3;

/** The suite can send no token, and without one nobody is served: this says it for the suite, and passes the rest on. */
async function withKey(target: () => { port: number; homeKey(): string }): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { method, url: path } = asked;
    const { port, homeKey } = target();
    const headers = { ...asked.headers, authorization: `Bearer ${homeKey()}` };
    // A connection of its own: one that is kept may be closed at the moment of its next request, and an answer is lost.
    const onward = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Runs every scenario in both eras against one build of the program. */
export async function measured(cli: string): Promise<Scenario[]> {
  let endpoint: Endpoint | undefined;
  const front = await withKey(() => endpoint!);
  const { port } = front.address() as AddressInfo;
  // The suite calls as a page of the endpoint's own address would, which is to be let in.
  const origins = `http://127.0.0.1:${port},http://localhost:${port}`;
  endpoint = await startEndpoint({
    cli,
    args: ["--rate", "1000000", "--allowed-origins", origins],
    env: {
      TOWOW_LOG_LEVEL: "error",
      TOWOW_ON_UNCONFIRMED: "leave",
      TOWOW_CONFIRM_DEADLINE_S: String(CONFIRM_TIMEOUT_S),
      TOWOW_BUDGET_MAX_NEGOTIATIONS: "1000",
    },
    mock: { confirmTimeoutMs: CONFIRM_TIMEOUT_S * 1_000 },
  });
  try {
    const eras = await Promise.all(ERAS.map((era) => scenariosOf(era, `http://127.0.0.1:${port}/mcp`)));
    return eras.flat();
  } finally {
    front.close();
    front.closeAllConnections();
    await endpoint.close();
  }
}
