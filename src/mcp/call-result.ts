import { fitResult } from "../result/fit-result.ts";
import { textOf } from "../result/tool-result.ts";
import type { AskingServer } from "./asking-server.ts";
import { type Ended, metaOf } from "./call-meta.ts";
import { resourceLinks } from "./resource-links.ts";
import type { ServerDeps } from "./server-deps.ts";

/** A call that has ended, with its result. */
export type EndedCall = Omit<Ended, "version">;

/** How this server gives a result: as text, as data, with links to what was cut, and with what the call was. */
export function createCallResult(server: AskingServer, { live, version }: ServerDeps, boundary: () => string) {
  return async ({ result: whole, ...call }: EndedCall) => {
    const result = fitResult(whole);
    return {
      content: [
        { type: "text" as const, text: textOf(result, boundary) },
        ...resourceLinks(result, server, live.current().lang),
      ],
      structuredContent: result as unknown as Record<string, unknown>,
      isError: result.status === "error",
      _meta: await metaOf({ ...call, result, version }),
    };
  };
}
