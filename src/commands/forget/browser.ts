import { browsersOf, openHome } from "../home.ts";
import { print, printError } from "../print.ts";

/**
 * `towow-mcp forget --browser <name|all>`: what was let in decides no more, from the next request on. Exit status 1 when
 * there is none of that name. @throws HomeUnwritable
 */
export async function forgetBrowser(env: NodeJS.ProcessEnv, name: string): Promise<void> {
  const { path, texts } = openHome(env);
  const gone = await browsersOf(path).forget(name);
  if (gone.length > 0) print(`${gone.map((one) => texts.forget.browser(one)).join("\n")}\n`);
  else {
    printError(`${texts.forget.noBrowser(name)}\n`);
    process.exitCode = 1;
  }
}
