import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../src/log.ts";
import { createRedisStore } from "../../src/store/redis.ts";
import { localCertificate } from "../support/certificate.ts";
import { temporaryHome } from "../support/home.ts";

test("a store over TLS whose certificate nobody vouches for gets no word, whatever the environment says", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { key, cert } = localCertificate(await temporaryHome());
  const heard: string[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on("error", () => {}).on("data", (data) => void heard.push(String(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `rediss://:hunter2@localhost:${port}`;
  await expect(createRedisStore({ url, log: silentLog, commandTimeoutMs: 500 })).rejects.toMatchObject({
    code: "tool.config.unavailable.store",
  });
  expect(heard).toEqual([]);
});
