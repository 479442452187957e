import type { Io } from "../../app/io.ts";
import { UnknownBrowser } from "../errors.ts";
import { browsersOf, openHome } from "../home.ts";
import { print } from "../print.ts";

/**
 * `towow-mcp forget --browser <name|all>`: what was let in decides no more, from the next request on.
 * @throws UnknownBrowser, HomeUnwritable
 */
export async function forgetBrowser(io: Io, name: string): Promise<void> {
  const { path, texts } = openHome(io);
  const gone = await browsersOf(path, io.clock).forget(name);
  if (gone.length === 0) throw new UnknownBrowser({ name });
  void print(io, `${gone.map((one) => texts.forget.browser(one)).join("\n")}\n`);
}
