import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { temporaryHome } from "../support/home.ts";
import { command } from "../support/in-process.ts";

const CERTIFICATE = /certificate|NODE_EXTRA_CA_CERTS|证书/;

it("a port that cannot be used: the one reason, in either language", async () => {
  const server = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const home = await temporaryHome();
  const env = { HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: `http://127.0.0.1:${port}` };
  for (const [given, en, zh] of [
    ["abc", "The port abc cannot be used: it is not a number.", "端口 abc 无法使用：不是数字。"],
    ["70000", "ports are whole numbers from 0 to 65535.", "端口应为 0 到 65535 的整数。"],
    ["1.5", "ports are whole numbers from 0 to 65535.", "端口应为 0 到 65535 的整数。"],
    [String(port), "another program uses it, EADDRINUSE.", "已被其他程序占用，EADDRINUSE。"],
  ] as const)
    for (const name of ["mock", "open"]) {
      const said = (lang: string) => command([name, "--port", given], { ...env, TOWOW_LANG: lang });
      expect(await said("en"), given).toMatchObject({ status: 1, stderr: expect.stringContaining(en) });
      expect(await said("zh"), given).toMatchObject({ status: 1, stderr: expect.stringContaining(zh) });
    }
  server.close();
});

it("no connection: the one reason, in either language", async () => {
  const server = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const home = await temporaryHome();
  for (const [address, en, zh] of [
    ["http://127.0.0.1:6000", "HTTP requests to this port are not allowed.", "这个端口不允许 HTTP 请求。"],
    [`https://127.0.0.1:${port}`, "it does not speak TLS, ERR_SSL_", "它不使用 TLS，ERR_SSL_"],
  ] as const)
    for (const [lang, says] of [
      ["en", en],
      ["zh", zh],
    ] as const) {
      const env = { HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: address, TOWOW_LANG: lang };
      const { status, stderr } = await command(["scenes"], env);
      expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
      expect(stderr).not.toMatch(CERTIFICATE);
      const { stdout } = await command(["doctor"], env);
      expect(stdout).toContain("TOWOW_BACKEND_URL=");
      expect(stdout).not.toMatch(CERTIFICATE);
    }
  server.close();
});

it.each([
  ["greets as ssh", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["wants TLS", Buffer.from([0x15, 3, 1, 0, 2, 2, 70])],
])("what answers there is no HTTP server, it %s: said so, by what reads and by what writes", async (_how, answer) => {
  const server = createSocketServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [lang, says] of [
    ["en", `What answers at ${address} does not speak HTTP.`],
    ["zh", `${address} 上应答的不是 HTTP 服务。`],
  ] as const) {
    const home = await temporaryHome();
    const env = { HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: address, TOWOW_LANG: lang };
    const { status, stderr } = await command(["scenes"], env);
    expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr).toContain("(tool.backend.invalid.not_http)");
    const called = ["call", "towow_demand", "intent=Someone who paints", "scene_id=scene_000000000000"];
    expect((await command(called, env)).stdout).toContain(says);
    expect((await command(["doctor"], env)).stdout).toContain(says);
  }
});
