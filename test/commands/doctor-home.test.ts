import { chmod } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { ownIo } from "../../src/app/io.ts";
import { checkHome } from "../../src/commands/doctor/home.ts";
import { doctorTexts } from "../../src/text/doctor.ts";
import { temporaryHome } from "../support/home.ts";

vi.mock("node:fs", async (original) => ({
  ...(await original<typeof import("node:fs")>()),
  statfsSync: () => {
    throw Object.assign(new Error("ENOSYS: function not implemented, statfs"), { code: "ENOSYS" });
  },
}));

it("a file system that does not say what it is counts as any other: the home is in order", async () => {
  const home = await temporaryHome();
  await chmod(home, 0o700);
  const context = { io: ownIo, home, texts: doctorTexts("en") } as Parameters<typeof checkHome>[0];
  expect([...checkHome(context)]).toEqual([expect.objectContaining({ check: "home", level: "ok" })]);
});
