import { expect, it, vi } from "vitest";
import { CommandQueue } from "../../src/negotiation/command-queue.ts";

it("what is added after its limit never begins", async () => {
  const queue = new CommandQueue();
  const work = vi.fn(async () => "done");
  const limit = AbortSignal.abort(new Error("the call has ended"));
  await expect(queue.add(work, limit)).rejects.toThrow("the call has ended");
  await queue.take()?.();
  expect(work).not.toHaveBeenCalled();
});
