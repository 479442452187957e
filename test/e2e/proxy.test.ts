import { expect, it } from "vitest";
import { socksProxy } from "../backend/socks-proxy.ts";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { examined } from "./doctor-support.ts";

const scenes = (env: Record<string, string>) => cli(["call", "towow_list_scenes", "--mode", "developer"], { env });

it("a socks5h proxy for everything, and a backend on this machine that NO_PROXY leaves out", async () => {
  const mock = await runningMock();
  const socks = "socks5h://127.0.0.1:7890";
  const env = {
    HTTP_PROXY: socks,
    HTTPS_PROXY: socks,
    NO_PROXY: "localhost,127.0.0.1",
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_HOME: await temporaryHome(),
  };
  expect(await scenes(env)).toMatchObject({ status: 0, stderr: "" });
  const { of, problems } = await examined(env);
  expect([of("proxy")?.level, problems]).toEqual(["ok", 0]);
});

it("a socks5h proxy on the way is used", async () => {
  const mock = await runningMock();
  const { host, asked } = await socksProxy(Number(new URL(mock.url).port));
  const env = {
    HTTP_PROXY: `socks5h://${host}`,
    TOWOW_BACKEND_URL: "http://backend.test",
    TOWOW_ALLOW_HTTP: "true",
    TOWOW_HOME: await temporaryHome(),
  };
  expect(await scenes(env)).toMatchObject({ status: 0, stderr: "" });
  expect(new Set(asked)).toEqual(new Set(["backend.test:80"]));
});

it("a variable that names no proxy is named, by a call and once by the doctor, without its password", async () => {
  const env = {
    HTTPS_PROXY: "socks4://me:hunter2@127.0.0.1:1080",
    TOWOW_BACKEND_URL: "https://towow.example",
    TOWOW_HOME: await temporaryHome(),
  };
  const called = await scenes(env);
  expect(called.status).toBe(1);
  expect(JSON.parse(called.stdout).error).toMatchObject({
    code: "tool.config.invalid.proxy",
    message: "HTTPS_PROXY does not name a usable proxy. Nothing was sent.",
    can_retry: false,
  });
  const { of, problems, findings } = await examined(env);
  expect(of("proxy")).toMatchObject({ level: "problem", fix: "unset HTTPS_PROXY" });
  expect([problems, of("backend")]).toEqual([1, undefined]);
  expect(JSON.stringify([called, findings])).not.toContain("hunter2");
});
