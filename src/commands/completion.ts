import type { Command } from "commander";
import type { Io } from "../app/io.ts";
import { candidatesFor } from "./completion/candidates.ts";
import { SCRIPTS, type Shell } from "./completion/scripts.ts";
import { rememberedIds, valuesOf } from "./completion/values.ts";
import { homeLanguage, openHome } from "./home.ts";
import { print } from "./print.ts";

/** `towow-mcp completion <shell>`: what a person puts into their shell's start-up file. */
export const completion = (io: Io, shell: Shell): void => void print(io, SCRIPTS[shell]);

/** What the shell's script asks at each Tab: `words` are those behind the program's name, the last one unfinished. */
export async function complete(program: Command, words: readonly string[], io: Io): Promise<void> {
  const ids = () => rememberedIds(openHome(io));
  const found = await candidatesFor(program, words, valuesOf(ids, homeLanguage(io.env)));
  await print(io, found.map(({ value, meaning }) => `${value}\t${meaning}\n`).join(""));
}
