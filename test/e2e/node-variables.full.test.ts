import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { nodeVariablesIn } from "../../src/node-variables.ts";
import { localCertificate } from "../support/certificate.ts";
import { cli } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { world } from "./call-support.ts";
import { examined } from "./doctor-support.ts";

/** What Node reads from the environment by itself, which a project can set through a client's settings. */

/** A network over TLS with a certificate of its own, and what it was asked for. */
async function secureNetwork() {
  const folder = await temporaryHome();
  const { key, cert } = localCertificate(folder);
  const asked: string[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(200, { "content-type": "application/json" }).end('{"scenes":[],"agents":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const env = {
    TOWOW_HOME: join(folder, "home"),
    TOWOW_BACKEND_URL: `https://localhost:${(server.address() as AddressInfo).port}`,
    TOWOW_API_TOKEN: "tok-4711",
    NODE_NO_WARNINGS: "1",
  };
  return { env, asked, cert, folder };
}

/** A spawned program: Node reads most of these variables when it starts. */
const scenes = (env: Record<string, string>, cwd?: string) =>
  cli(["call", "towow_list_scenes", "--mode", "developer"], { env, ...(cwd !== undefined && { cwd }), spawned: true });

it("NODE_TLS_REJECT_UNAUTHORIZED=0 is not followed, with allow_http or without: certificates are checked", async () => {
  const { env, asked } = await secureNetwork();
  for (const more of [{}, { TOWOW_ALLOW_HTTP: "true" }]) {
    const unchecked = { ...env, ...more, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const called = await scenes(unchecked);
    expect(JSON.parse(called.stdout).error.code).toBe("tool.backend.blocked.connection");
    expect(asked).toEqual([]);
  }
  const { of } = await examined({ ...env, NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(of("environment")).toEqual({
    check: "environment",
    level: "warning",
    message: "NODE_TLS_REJECT_UNAUTHORIZED=0 is not followed: certificates are always checked.",
    fix: "unset NODE_TLS_REJECT_UNAUTHORIZED",
  });
  const { stdout } = await cli(["config"], { env: { ...env, NODE_TLS_REJECT_UNAUTHORIZED: "0" }, spawned: true });
  expect(stdout).toContain("NODE_TLS_REJECT_UNAUTHORIZED=0 is not followed");
});

it("tool.config.invalid.relative_path: a project's own authority is not believed; a full path is, and is named", async () => {
  const { env, asked, cert, folder } = await secureNetwork();
  const full = { ...env, NODE_EXTRA_CA_CERTS: cert };
  expect(await scenes(full, folder)).toMatchObject({ status: 0 });
  expect(asked).not.toEqual([]);
  const { of } = await examined(full);
  expect(of("environment")).toMatchObject({ level: "ok" });
  expect(of("environment")?.message).toContain(`NODE_EXTRA_CA_CERTS=${cert}`);
  asked.length = 0;
  const relative = { ...env, NODE_EXTRA_CA_CERTS: "./ca.pem" };
  const called = await scenes(relative, folder);
  expect(called.status).toBe(1);
  expect(JSON.parse(called.stdout).error).toMatchObject({
    code: "tool.config.invalid.relative_path",
    message:
      "NODE_EXTRA_CA_CERTS must name full paths; “./ca.pem” leads into the folder that is open. Nothing was sent.",
    can_retry: false,
  });
  const doctor = await cli(["doctor", "--json"], { env: relative, cwd: folder, spawned: true });
  const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; level: string; fix?: string }[] };
  expect(findings.filter(({ level }) => level === "problem")).toMatchObject([
    { check: "environment", fix: "unset NODE_EXTRA_CA_CERTS" },
  ]);
  const { stdout } = await cli(["config"], { env: relative, spawned: true });
  expect(stdout).toContain("NODE_EXTRA_CA_CERTS must name full paths");
  expect(asked).toEqual([]);
});

it("a module and an OpenSSL file of the project's: nothing is sent, whatever they changed", async () => {
  const { env, asked, cert, folder } = await secureNetwork();
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "trap.cjs"), "");
  writeFileSync(join(project, "openssl.cnf"), "");
  for (const more of [
    { NODE_OPTIONS: "--require ./trap.cjs" },
    { NODE_OPTIONS: '--no-warnings --require="./trap.cjs"' },
    { OPENSSL_CONF: "openssl.cnf" },
    { SSL_CERT_FILE: "../ca.pem", NODE_OPTIONS: "--use-openssl-ca" },
    { SSL_CERT_DIR: `${folder}:.`, NODE_OPTIONS: "--use-openssl-ca" },
  ]) {
    const called = await scenes({ ...env, NODE_EXTRA_CA_CERTS: cert, ...more }, project);
    expect(JSON.parse(called.stdout).error.code, JSON.stringify(more)).toBe("tool.config.invalid.relative_path");
  }
  expect(asked).toEqual([]);
});

it.each([
  ["--max-semi-space-size=8", undefined],
  ["--require /opt/hook.cjs --import file:///opt/hook.mjs", undefined],
  ["--use-openssl-ca", undefined],
  ["-r dotenv/config", "dotenv/config"],
  ['--require "./a b.cjs"', "./a b.cjs"],
  [String.raw`--require "a\"b.cjs"`, 'a"b.cjs'],
  ["--experimental_loader=./l.mjs", "./l.mjs"],
  ["--openssl-config=o.cnf", "o.cnf"],
])("NODE_OPTIONS=%s: what it reads from the working folder is %s", (NODE_OPTIONS, relative) => {
  expect(nodeVariablesIn({ NODE_OPTIONS })).toEqual([{ name: "NODE_OPTIONS", value: NODE_OPTIONS, relative }]);
});

it("NODE_DEBUG has nobody's words written to stderr, and is named", async () => {
  const { mock, env } = await world();
  const debug = { ...env, NODE_DEBUG: "stream,net,http,http2,tls,fetch,undici,websocket,timer,module" };
  const said: string[] = [];
  const session = await legacyClient({ env: debug, spawned: true, onStderr: (text) => said.push(text) });
  const { result } = await session.call("towow_demand", { intent: "A designer, SECRETLY", scene_id: mock.sceneId });
  expect(result.data.state).toBe("formulated");
  await session.close();
  expect(said.join("")).not.toContain("SECRETLY");
  const { of } = await examined({ ...env, NODE_DEBUG: "net" });
  expect(of("environment")).toMatchObject({ level: "warning", message: expect.stringContaining("NODE_DEBUG is not") });
});
