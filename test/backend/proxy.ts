import { createServer, request } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A small proxy. `backend.test` is a name that only it knows: it stands for a server on loopback. `refuse` is the
 * status of a proxy that lets nobody through, or how it hangs up.
 */
export async function proxy(backendPort: number, refuse?: number | "at once" | "within its answer" | "as ssh") {
  const forwarded: string[] = [];
  const tunnels: { target: string; headers: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    forwarded.push(`${incoming.method} ${incoming.url}`);
    if (refuse !== undefined) return void outgoing.writeHead(Number(refuse)).end();
    const { pathname, search } = new URL(incoming.url ?? "");
    const options = { port: backendPort, method: incoming.method, path: pathname + search, headers: incoming.headers };
    const onward = request({ host: "127.0.0.1", ...options }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket) => {
    tunnels.push({ target: incoming.url ?? "", headers: JSON.stringify(incoming.headers) });
    socket.on("error", () => {});
    if (refuse === "at once") return void socket.end();
    if (refuse === "as ssh") return void socket.end("SSH-2.0-OpenSSH_9.6\r\n");
    if (refuse === "within its answer") return void socket.end("HTTP/1.1 2");
    if (refuse !== undefined) return void socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
    const onward = connect(backendPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, forwarded, tunnels };
}
