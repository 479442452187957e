let seen: unknown[] = [];
let listening = false;

/** Collects promises that nobody handled, from now on. */
export function listenForRejections(): () => readonly unknown[] {
  seen = [];
  if (!listening) process.on("unhandledRejection", (error) => seen.push(error));
  listening = true;
  return () => seen;
}
