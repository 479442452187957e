import { afterAll } from "vitest";
import { removeHomes } from "./home.ts";

const atExit = new Set(process.listeners("exit"));

afterAll(() => {
  removeHomes();
  // What the program wants done at its end, of a file whose homes are gone.
  for (const added of process.listeners("exit")) if (!atExit.has(added)) process.off("exit", added);
});
