import type { Running } from "./running-file.ts";

const PATIENCE_MS = 2_000;
/** The route that only a sandbox has. Its answer is the name of the process. */
export const SANDBOX_ROUTE = "/sandbox";

/** Whether the process that is named answers, and says that this home is still its own. Never throws. */
export async function answers({ url, instance }: Running): Promise<boolean> {
  const { get } = await import("node:http");
  return new Promise((resolve) => {
    const request = get(`${url}${SANDBOX_ROUTE}`, { agent: false, timeout: PATIENCE_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text = (text + chunk).slice(0, 1_000);
      });
      response.on("end", () => resolve(response.statusCode === 200 && text === instance));
      response.on("error", () => resolve(false));
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", () => resolve(false));
  });
}
