import { expect, it, vi } from "vitest";
import { CommandQueue } from "../../src/negotiation/supervisor.ts";

it("what is added after its limit never begins", async () => {
  const queue = new CommandQueue();
  const work = vi.fn(async () => "done");
  const limit = AbortSignal.abort(new Error("the call has ended"));
  await expect(queue.add(work, limit)).rejects.toThrow("the call has ended");
  await queue.take()?.();
  expect(work).not.toHaveBeenCalled();
});

it("a limit that passes once its work was taken drops no other", async () => {
  const queue = new CommandQueue();
  const limit = new AbortController();
  const first = queue.add(async () => "first", limit.signal);
  const second = queue.add(async () => "second");
  const command = queue.take();
  limit.abort(new Error("the call has ended"));
  await command?.();
  await queue.take()?.();
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
});
