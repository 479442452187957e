import { UnknownBrowser } from "../errors.ts";
import { browsersOf, openHome } from "../home.ts";
import { print } from "../print.ts";

/**
 * `towow-mcp forget --browser <name|all>`: what was let in decides no more, from the next request on.
 * @throws UnknownBrowser, HomeUnwritable
 */
export async function forgetBrowser(env: NodeJS.ProcessEnv, name: string): Promise<void> {
  const { path, texts } = openHome(env);
  const gone = await browsersOf(path).forget(name);
  if (gone.length === 0) throw new UnknownBrowser({ name });
  print(`${gone.map((one) => texts.forget.browser(one)).join("\n")}\n`);
}
