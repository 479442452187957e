import { type Check, options } from "../harness.ts";
import { recordingProxy } from "./proxy.ts";

/** Runs until it is interrupted. */
const record: Check = async (args) => {
  const { of, to, name, port } = options(args, { of: "", to: "", name: "", port: 0 });
  if (of === "" || to === "" || name === "")
    return { ok: false, line: "--of <backend url> --to <folder> --name <stem>" };
  const { url, close } = await recordingProxy({ of, to, name, port });
  process.stdout.write(`TOWOW_BACKEND_URL=${url}\n`);
  await new Promise((resolve) => process.once("SIGINT", resolve));
  await close();
  return { ok: true, line: `recorded into ${to}` };
};
export default record;
