import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { send, startEndpoint } from "../support/endpoint.ts";
import { makeHome } from "../support/home.ts";
import { httpBrowser } from "../support/http-browser.ts";

it("the endpoint's own address in a browser: what it is and how clients connect, in the person's language", async () => {
  const { port, close } = await startEndpoint();
  onTestFinished(close);
  const get = (language: string, host = `127.0.0.1:${port}`) =>
    send(port, { method: "GET", path: "/", headers: { Host: host, Accept: "text/html", "Accept-Language": language } });
  const { status, text } = await get("en-GB,en;q=0.9");
  expect(status).toBe(200);
  expect(text).toContain('<html lang="en">');
  expect(text).toContain(`claude mcp add --transport http towow http://127.0.0.1:${port}/mcp\nclaude mcp login towow`);
  expect((await get("zh-CN")).text).toContain("在你的 AI 里使用");
  // What is not there is not offered: without a public address nobody has a list of browsers.
  expect(text).toContain('href="/room"');
  expect(text).not.toMatch(/\/browsers|Claude<|ChatGPT|OAuth/);
  // A word that the AI passes on counts here: the page does not say that the AI cannot broadcast.
  expect(text).not.toMatch(/cannot broadcast|nothing goes out without your yes/);
  const lost = (path: string, accept: string, language = "en") =>
    send(port, {
      method: "GET",
      path,
      headers: { Host: `127.0.0.1:${port}`, Accept: accept, "Accept-Language": language },
    });
  // A program gets an error that it can read, a person a page: of a question that is over, what that means.
  expect((await lost("/nothing", "*/*")).json.error.data.code).toBe("http.not_found");
  const nothing = await lost("/nothing", "text/html,*/*;q=0.8");
  expect([nothing.status, nothing.text.includes("There is nothing at this address")]).toEqual([404, true]);
  const old = await lost("/approve/gone/secret", "text/html,*/*;q=0.8", "zh-CN");
  expect([old.status, old.text.includes("本页已关闭")]).toEqual([404, true]);
  // A name that is not served is named nowhere.
  const foreign = await get("en", "evil.example");
  expect([foreign.status, foreign.text.includes("evil.example")]).toEqual([403, false]);
});

it("where only a person's own yes counts, but what nobody decides on is broadcast, the page says that of the AI and no more", async () => {
  const home = makeHome();
  writeFileSync(join(home, "config.json"), JSON.stringify({ confirmation_policy: "strict", on_unconfirmed: "leave" }));
  const { port, close } = await startEndpoint({ home });
  onTestFinished(close);
  const headers = { Host: `127.0.0.1:${port}`, Accept: "text/html", "Accept-Language": "en" };
  const { text } = await send(port, { method: "GET", path: "/", headers });
  expect(text).toContain("Only you can say yes.");
  expect(text).not.toMatch(/pass on your yes|nothing goes out without your yes|cannot broadcast/);
  const form = { ...headers, Origin: `http://127.0.0.1:${port}`, "Content-Type": "application/x-www-form-urlencoded" };
  const token = await send(port, { path: "/token", headers: form, body: "" });
  expect([token.status, token.text.includes("Only you can say yes.")]).toEqual([200, true]);
});

it("on this machine alone the page cannot see who is in the room, and asks nobody to sign in", async () => {
  const endpoint = await startEndpoint();
  onTestFinished(() => endpoint.close());
  const origin = `http://127.0.0.1:${endpoint.port}`;
  const own = httpBrowser(endpoint.port, origin);
  const room = `${origin}${(await own.ask(`${origin}/room`)).headers.location}`;
  expect((await own.ask(room, { token: endpoint.homeKey() })).status).toBe(303);
  const { text } = await own.ask(`${origin}/`, undefined, { Accept: "text/html", "Accept-Language": "en" });
  expect(text).toContain("Open your room");
  expect(text).not.toContain("Sign in");
});
