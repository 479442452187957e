import { connect } from "node:net";

/** No answer of any kind may be a defect, or show where the program lies. */
export function expectHarmless(answer: string): void {
  for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm))
    if (status === "500") throw new Error(`500: ${answer.slice(0, 400)}`);
  if (/\n\s+at \S+ \(|node:internal|\/src\//.test(answer)) throw new Error(`a stack: ${answer.slice(0, 800)}`);
}

/** Sends bytes and gives what comes back, until the other side closes or, for what may be cut short, falls silent. */
export function exchange(port: number, bytes: Buffer, whole: boolean): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1");
    const end = () => {
      socket.destroy();
      resolve(heard);
    };
    // A request without its end is waited for by the server; this client has better things to do.
    if (!whole) socket.setTimeout(40, end);
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
    });
    socket.on("error", end);
    socket.on("close", end);
    socket.write(bytes);
  });
}
