/** Questions with a choice, at a terminal: loaded by the commands that ask them. `build.mjs` bundles those named here. */
export type Prompts = Pick<typeof import("@clack/prompts"), "confirm" | "multiselect" | "select" | "text">;

export async function loadPrompts(): Promise<Prompts> {
  const { stdout } = process;
  // A terminal that does not say how large it is (a serial console, some containers) says 0.
  stdout.columns ||= 80;
  stdout.rows ||= 24;
  return import("@clack/prompts");
}

/** The answer; undefined where the person left by Ctrl-C or Escape. */
export async function unlessCancelled<T>(question: Promise<T>): Promise<Exclude<T, symbol> | undefined> {
  const answer = await question;
  return typeof answer === "symbol" ? undefined : (answer as Exclude<T, symbol>);
}
