import { expect, it, vi } from "vitest";
import { ownIo } from "../../src/app/io.ts";
import { tellFailure } from "../../src/commands/failure.ts";

it("a defect is two lines in the person's language: what to do, then its class and place", async () => {
  const written = vi.spyOn(process.stderr, "write").mockImplementation(((_: unknown, done: () => void) => {
    done();
    return true;
  }) as never);
  const { exitCode } = process;
  try {
    await tellFailure(ownIo, new TypeError("secret of a file"), "zh");
    const [[text]] = written.mock.calls as unknown as [[string]];
    expect(text.split("\n")).toEqual([
      expect.stringContaining("本程序内部出错"),
      expect.stringMatching(/^\(tool\.backend\.internal\.unexpected: TypeError at .+\)$/),
      "",
    ]);
    expect(text).not.toContain("secret");
    expect(process.exitCode).toBe(1);
  } finally {
    written.mockRestore();
    process.exitCode = exitCode;
  }
});
