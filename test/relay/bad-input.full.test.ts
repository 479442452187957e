import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { agentAt, startedAgent } from "../support/relay.ts";
import { DEMAND, relayed } from "./relayed.ts";

describe("bad input", () => {
  it.each([
    ["a wrong token", "?token=wrong", {}, 401],
    ["another site's page", undefined, { origin: "https://evil.example" }, 403],
    ["another host", undefined, { host: "evil.example" }, 403],
  ])("%s is refused at the upgrade", async (_, query, headers, status) => {
    const { url } = await relayed();
    await expect(agentAt(url(query), { headers })).rejects.toThrow(String(status));
  });

  it("five megabytes end the connection; nothing else does", async () => {
    const { url, opened } = await relayed();
    const agent = await startedAgent(url());
    agent.raw("x".repeat(5 * 1024 * 1024));
    await expect.poll(agent.closed).toMatchObject({ code: 1009 });
    await expect.poll(() => opened.room.state.agent).toBeUndefined();
  });

  it("a flood of messages waits on the wire, and each is answered in its turn", async () => {
    const { url, world } = await relayed();
    const agent = await startedAgent(url());
    const COUNT = 10_000;
    for (let i = 0; i < COUNT; i++)
      agent.raw(JSON.stringify({ v: "mvp-0.2", type: "nothing", id: `${i}`, payload: {} }));
    const answered = () => agent.frames.filter(({ type }) => type === "error").map(({ replyTo }) => replyTo);
    for (let second = 0; second < 120 && answered().length < COUNT; second++) {
      const due = Math.min(COUNT, (second + 1) * 100 - 2);
      await expect.poll(() => answered().length, { interval: 5 }).toBeGreaterThanOrEqual(due);
      await world.clock.advance(1_000);
    }
    expect(answered()).toEqual(Array.from({ length: COUNT }, (_, i) => `${i}`));
  });

  it("an agent that never reads holds nobody up, and gets the newest state when it does", async () => {
    const { url, opened, world } = await relayed();
    const agent = await startedAgent(url());
    agent.socket.pause();
    const long = "x".repeat(199);
    const COUNT = 3_000;
    for (let i = 1; i <= COUNT; i++) {
      await opened.room.call("person", "setField", { fieldId: "sceneQuery", value: `${long}${i % 10}` });
      if (i % 100 === 0) await new Promise(setImmediate);
    }
    expect(opened.room.state.form.sceneQuery).toBe(`${long}0`);
    agent.socket.resume();
    const shown = () => agent.frames.filter(({ type }) => type === "state.updated");
    const queryIn = ({ payload }: { payload: { uiSpec: { sections: { fields?: { value: string }[] }[] } } }) =>
      payload.uiSpec.sections.flatMap(({ fields = [] }) => fields).at(0)?.value;
    await expect
      .poll(async () => {
        await world.clock.advance(100);
        return queryIn(shown().at(-1) as never);
      })
      .toBe(`${long}0`);
    expect(shown().length).toBeLessThan(COUNT); // what lay between was never queued
  });

  it("an agent that asks and never reads is answered no further than a bound", async () => {
    const { url, opened, world } = await relayed();
    const agent = await startedAgent(url());
    for (let i = 0; i < 50; i++) await opened.call("postMessage", { text: "x".repeat(4_000) });
    const send = vi.spyOn(WebSocket.prototype, "send");
    onTestFinished(() => send.mockRestore());
    agent.socket.pause();
    for (let i = 0; i < 90; i++) agent.tell("snapshot.get", {});
    const answered = () => send.mock.calls.filter(([data]) => String(data).includes('"snapshot.state"')).length;
    await expect.poll(answered).toBeGreaterThan(3);
    for (let i = 0; i < 200; i++) await new Promise(setImmediate);
    expect(answered()).toBeLessThan(60); // the system's own buffers take some
    agent.socket.resume();
    await expect
      .poll(async () => {
        await world.clock.advance(100);
        return answered();
      })
      .toBe(90);
  });

  it("what has come and waits for its turn is bounded", async () => {
    const { url, world } = await relayed();
    const agent = await startedAgent(url());
    const refused = () => agent.frames.filter(({ type }) => type === "error").length;
    for (let i = 0; i < 98; i++) agent.tell("nothing", {}); // from now on each waits for the next second
    await expect.poll(refused).toBe(98);
    const pause = vi.spyOn(WebSocket.prototype, "pause");
    onTestFinished(() => pause.mockRestore());
    const COUNT = 12;
    for (let i = 0; i < COUNT; i++) agent.tell("nothing", { text: "x".repeat(900_000) });
    await expect.poll(() => pause.mock.calls.length).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        await world.clock.advance(1_000);
        return refused();
      })
      .toBe(98 + COUNT);
  });

  it("an agent whose calls take long waits in between", async () => {
    const { url, world, opened } = await relayed();
    const agent = await startedAgent(url());
    const call = opened.room.call.bind(opened.room);
    vi.spyOn(opened.room, "call").mockImplementation(async (...args) => {
      await world.clock.advance(100);
      return call(...args);
    });
    for (let i = 0; i < 3; i++)
      agent.tell("tool.call", { toolName: "setField", params: { fieldId: "sceneQuery", value: `${i}` }, reason: "x" });
    const done = () => agent.frames.filter(({ type }) => type === "tool.result").length;
    for (const count of [1, 2, 3]) {
      await expect.poll(done).toBe(count);
      await world.clock.advance(250);
      await new Promise(setImmediate);
      expect(done()).toBe(count);
      await world.clock.advance(100);
    }
  });

  it("what is nested however deeply is answered", async () => {
    const { url } = await relayed();
    const agent = await startedAgent(url());
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const call = `{"toolName":"setField","reason":"x","params":{"fieldId":"sceneQuery","value":${deep}}}`;
    agent.raw(`{"v":"mvp-0.2","type":"tool.call","id":"deep","payload":${call}}`);
    const { payload } = await agent.sees(({ replyTo }) => replyTo === "deep");
    expect(payload.code).toBe("INVALID_PARAMS");
  });

  it("property: whatever arrives, the connection lives and says why it was refused", async () => {
    const { url } = await relayed();
    const agent = await startedAgent(url());
    let sent = 0;
    const errors = () => agent.frames.filter(({ type }) => type === "error").length;
    const some = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ v: fc.constant("mvp-0.2"), type: fc.string(), payload: fc.anything() }).map((m) => JSON.stringify(m)),
    );
    await fc.assert(
      fc.asyncProperty(some, async (text) => {
        agent.raw(text);
        sent += 1;
      }),
      { numRuns: 80 },
    );
    await expect.poll(errors).toBe(sent);
    expect(agent.closed()).toBeUndefined();
  });

  it("secrets and personal data stay out of the log, and what the room showed too", async () => {
    const { url, events, opened, world } = await relayed();
    const agent = await startedAgent(url());
    await opened.call("select", { itemId: world.sceneId });
    await opened.press("next");
    await agent.ask("tool.call", { toolName: "setField", params: { fieldId: "bio", value: DEMAND }, reason: DEMAND });
    agent.tell("agent.message", { text: DEMAND });
    await agent.sees(({ payload: { messageHistory } }) => messageHistory?.length === 1);
    const log = JSON.stringify(events());
    expect(log).toContain("hospital pilot");
    expect(log).not.toMatch(/13800138000|sk-live/);
    expect(log).not.toContain('"sections"');
  });

  it("whatever stands where a screen would stand in parameters is answered", async () => {
    const { url } = await relayed();
    const agent = await startedAgent(url());
    const some = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fc.constant(null), fc.jsonValue())));
    const params = fc.record({ toolSchema: some, uiSpec: some, messageHistory: some }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(params, async (params) => {
        const { payload } = await agent.ask("tool.call", {
          toolName: "refresh",
          params: { ...params, x: 1 },
          reason: "x",
        });
        expect(payload.code).toBe("INVALID_PARAMS");
      }),
      { numRuns: 40, examples: [[{ toolSchema: [null] }]] },
    );
  });

  it("a secret stays out of the log wherever it stands: under a screen's name, as a name, across the cut", async () => {
    const { url, events } = await relayed();
    const agent = await startedAgent(url());
    const secret = "sk-live1234567890abcdef";
    const params = {
      toolSchema: [{ toolName: secret }, { toolName: { deep: secret } }],
      uiSpec: { stage: secret },
      [secret]: { "call 13800138000": "x" },
      password: "correct horse",
      value: `${"x ".repeat(1_995)}${secret}`,
    };
    await agent.ask("tool.call", { toolName: "refresh", params, reason: "Look." });
    const [call] = events().filter(({ type }) => type === "tool.call");
    expect(call.payload.params.value).toHaveLength(3_993);
    expect(JSON.stringify(call)).not.toMatch(/13800138000|sk-live|correct horse/);
  });

  it("what fails as nobody foresaw is answered too", async () => {
    const { url, opened, failures } = await relayed();
    const agent = await startedAgent(url());
    vi.spyOn(opened.room, "snapshot").mockImplementationOnce(() => {
      throw new TypeError("secret words");
    });
    const { payload } = await agent.ask("snapshot.get", {});
    expect(payload.code).toBe("TOOL_EXECUTION_FAILED");
    expect(payload.message).not.toContain("secret words");
    expect(failures.splice(0)).toEqual([["relay_failed", { error: expect.stringMatching(/^TypeError/) }]]);
  });
});
