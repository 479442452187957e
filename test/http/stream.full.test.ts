import { connect } from "node:net";
import { expect, it } from "vitest";
import { followStream } from "../../src/mcp/http/stream.ts";
import { openSession, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { ManualClock } from "../support/manual-clock.ts";

const SSE = { headers: { "Content-Type": "text/event-stream" } };
const MEGABYTE = new Uint8Array(1024 * 1024);

it("a stream whose reader stays away is ended after a few megabytes, and its source is let go", async () => {
  let sent = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(MEGABYTE);
    },
    cancel() {
      cancelled = true;
    },
  });
  const heard: string[] = [];
  const response = followStream(new Response(endless, SSE), {
    onUnread: () => heard.push("unread"),
    onEnd: () => heard.push("end"),
  });
  await expect.poll(() => heard).toEqual(["unread", "end"]);
  expect(cancelled).toBe(true);
  expect(sent).toBeLessThan(10);
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(6 * MEGABYTE.byteLength);
});

it("a stream that runs out of time ends with what was agreed, once", async () => {
  const clock = new ManualClock();
  const ends: string[] = [];
  const quiet = new ReadableStream<Uint8Array>({ start: (c) => c.enqueue(new TextEncoder().encode("first\n")) });
  const response = followStream(new Response(quiet, SSE), {
    onUnread: () => ends.push("unread"),
    onEnd: () => ends.push("end"),
    deadline: { ms: 1_000, clock, last: "last\n" },
  });
  const text = response.text();
  await clock.advance(1_000);
  expect(await text).toBe("first\nlast\n");
  expect(ends).toEqual(["end"]);
});

it("a stream whose reader stays away, and whose source takes its time to go, hears nothing of its deadline", async () => {
  const clock = new ManualClock();
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(MEGABYTE),
    cancel: () => new Promise(() => {}),
  });
  const heard: string[] = [];
  const response = followStream(new Response(endless, SSE), {
    onUnread: () => heard.push("unread"),
    onEnd: () => heard.push("end"),
    deadline: { ms: 1_000, clock, last: "last" },
  });
  await expect.poll(() => heard).toContain("unread");
  await clock.advance(1_000);
  expect(heard).toEqual(["unread", "end"]);
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(6 * MEGABYTE.byteLength);
});

it("what has ended by itself hears nothing of its deadline", async () => {
  const clock = new ManualClock();
  const response = followStream(new Response("done", SSE), {
    onUnread: () => {},
    onEnd: () => {},
    deadline: { ms: 1_000, clock, last: "last" },
  });
  expect(await response.text()).toBe("done");
  await clock.advance(2_000);
});

it("clients that never read what they are sent cost little and are let go; a quiet stream is kept", async () => {
  const endpoint = await startEndpoint({
    spawned: true,
    args: [..."--metrics on --unread-timeout 1 --rate 1000000 --at-once 10000".split(" ")],
  });
  try {
    const { port } = endpoint;
    const headers = { Authorization: `Bearer ${endpoint.homeKey()}` };
    const memory = async () =>
      Number(
        /^process_resident_memory_bytes (\d+)/m.exec((await send(port, { method: "GET", path: "/metrics" })).text)?.[1],
      );
    const session = await openSession(port, headers);
    const streaming = { ...headers, Accept: "text/event-stream", "Mcp-Session-Id": session };
    const reading = await fetch(endpoint.url, { headers: streaming });
    const second = await send(port, { method: "GET", headers: streaming });
    expect([second.status, second.json.error.data.code]).toEqual([409, "http.stream_open"]);

    const before = await memory();
    const body = rpc("tools/list");
    const request = `POST /mcp?mode=developer HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.Authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const gone = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(port, "127.0.0.1");
            socket.pause();
            socket.on("error", () => resolve(true)); // the other side is gone
            socket.write(request.repeat(8_000));
            const timer = setInterval(() => socket.write(request), 100);
            socket.on("close", () => clearInterval(timer));
          }),
      ),
    );
    expect(gone).toEqual([true, true, true]);
    const asked = 3 * 8_000 * (await send(port, { path: "/mcp?mode=developer", headers, body })).text.length;
    expect((await memory()) - before).toBeLessThan(Math.min(asked / 2, 300 * 1024 * 1024));

    // The stream that is read, though nothing came for all that time, is still there.
    const closed = await send(port, { method: "DELETE", headers: { ...headers, "Mcp-Session-Id": session } });
    expect(closed.status).toBe(200);
    expect(await reading.text()).toMatch(/^(?:: keepalive\n\n)*$/);
    expect(endpoint.strayLines()).toEqual([]);
  } finally {
    await endpoint.close();
  }
});

it("a stream that breaks is taken up again, however much the session has been sent since its last event", async () => {
  const endpoint = await startEndpoint();
  try {
    const { port, url } = endpoint;
    const bearer = { Authorization: `Bearer ${await endpoint.token()}` };
    const headers = { ...bearer, "Mcp-Session-Id": await openSession(port, bearer) };
    const toMode = (mode: string) => send(port, { headers, body: toolCall("towow_set_mode", { mode }) });
    const listen = async (more: Record<string, string> = {}) => {
      const { status, body } = await fetch(url, { headers: { ...headers, Accept: "text/event-stream", ...more } });
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
      return { status, next: async () => (await reader.read()).value ?? "", leave: () => reader.cancel() };
    };
    const first = await listen();
    await toMode("developer");
    const [, last = ""] = /^id: (\S+)/m.exec(await first.next()) ?? [];
    await first.leave();
    for (let count = 0; count < 110; count++) await send(port, { headers, body: rpc("ping") });
    const again = await listen({ "Last-Event-ID": last });
    expect(again.status).toBe(200);
    await toMode("normal");
    expect(await again.next()).toContain("tools/list_changed");
    await again.leave();
    expect((await listen({ "Last-Event-ID": "never_999999" })).status).toBe(400);
  } finally {
    await endpoint.close();
  }
});

it("a call's stream whose answer is no longer kept is refused, so that its client asks no further", async () => {
  const endpoint = await startEndpoint();
  try {
    const { port, url, mock } = endpoint;
    const bearer = { Authorization: `Bearer ${await endpoint.token()}` };
    const headers = { ...bearer, "Mcp-Session-Id": await openSession(port, bearer) };
    mock.faults.add({ route: "get", kind: "delay", delayMs: 300 });
    const body = toolCall("towow_status", { negotiation_id: "neg_nowhere" }) as string;
    const accept = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const post = await fetch(url, { method: "POST", headers: { ...headers, ...accept }, body });
    const reader = post.body!.pipeThrough(new TextDecoderStream()).getReader();
    const [, last = ""] = /^id: (\S+)/m.exec((await reader.read()).value ?? "") ?? [];
    await reader.cancel();
    expect(last).toMatch(/_\d+_/);
    const resume = async () =>
      (await fetch(url, { headers: { ...headers, Accept: "text/event-stream", "Last-Event-ID": last } })).status;
    for (let count = 0; count < 210; count++) await send(port, { headers, body: rpc("ping") });
    await expect.poll(resume).toBe(400);
  } finally {
    await endpoint.close();
  }
});
