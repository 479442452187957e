import { readFile } from "node:fs/promises";
import { createSandbox } from "../../app/sandbox/sandbox.ts";
import { TowowError } from "../../errors.ts";
import { hostOf, SANDBOX } from "../../home/origin.ts";
import { networkTexts } from "../../text/network.ts";
import { FIRST_CALL } from "../doctor/backend-token.ts";
import { failureSentence } from "../failure.ts";
import type { Home } from "../home.ts";
import { readNetwork } from "../overview/network.ts";
import type { Printer } from "../printer.ts";

/** What one look at the network shows, namely that it can be used, that it cannot, or neither. */
export interface NetworkLook {
  seen: "good" | "bad" | "unclear";
  sentence: string;
}

/** Returns the sign that is printed before the sentence. */
export const signOf = ({ seen }: NetworkLook, { style }: Printer): string =>
  seen === "good" ? style("green", "✓ ") : seen === "bad" ? style("red", "✗ ") : style("yellow", "? ");

/**
 * Checks the configured network once. Starts the sandbox if that is the network and it is not running. Returns
 * undefined if no network is configured.
 */
export async function checkNetwork(home: Home, root: URL): Promise<NetworkLook | undefined> {
  const { check: texts, name: nameOf } = networkTexts(home.lang);
  const { who, bearer } = home.who();
  if (who.backend_url === null) return undefined;
  const name = nameOf(hostOf(who.backend_url));
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const sandbox = createSandbox({ home: home.path, root, env: home.io.env });
  try {
    if (who.backend_url === SANDBOX) await sandbox.address();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return { seen: "bad", sentence: failureSentence(error, home.lang) };
  }
  const network = await readNetwork(who, bearer, { io: home.io, version, sandbox });
  if (network === undefined) return undefined;
  if (network.trouble !== undefined) return { seen: "bad", sentence: failureSentence(network.trouble, home.lang) };
  if (network.isForeign) return { seen: "bad", sentence: texts.foreign(name) };
  if (network.wantsToken) return { seen: "good", sentence: texts.wantsToken(name) };
  if (network.isTokenUntried) return { seen: "unclear", sentence: texts.tokenUntried(name, FIRST_CALL) };
  const scenes = network.sceneNames.size;
  return { seen: "good", sentence: network.canList ? texts.scenes(name, scenes) : texts.answers(name) };
}
