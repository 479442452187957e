import { HTTP_ERRORS } from "../../src/mcp/http/http-error.ts";
import { Metrics } from "../../src/mcp/http/metrics.ts";
import { code, table } from "./markdown.ts";

export const refusalsTable = (): string =>
  table(
    ["Status", "`data.code`", "JSON-RPC code", "The message"],
    Object.entries(HTTP_ERRORS).map(([name, [status, rpcCode, message]]) => [
      String(status),
      code(`http.${name}`),
      String(rpcCode),
      message,
    ]),
  );

export function metricsTable(): string {
  const metrics = new Metrics();
  return table(
    ["Name", "Labels", "What it counts"],
    metrics.own().map(({ name, labels, help }) => [code(name), labels.map(code).join(", ") || "–", help]),
  );
}
