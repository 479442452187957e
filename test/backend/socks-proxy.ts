import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A small SOCKS5 proxy; every name leads to one server on loopback. `account` is what it asks for, `how` whether it lets
 * nobody through, hangs up, says nothing, or is a web server.
 */
export async function socksProxy(
  backendPort: number,
  { account, how }: { account?: string; how?: "refuses" | "hangs up" | "is silent" | "is a web server" } = {},
) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    const read = (next: (bytes: Buffer) => void) => socket.once("data", next);
    const target = () =>
      read((bytes) => {
        const host = bytes[3] === 3 ? bytes.subarray(5, 5 + bytes[4]!).toString() : [...bytes.subarray(4, 8)].join(".");
        asked.push(`${host}:${bytes.readUInt16BE(bytes.length - 2)}`);
        if (how === "refuses") return void socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]));
        const onward = connect(backendPort, "127.0.0.1", () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          onward.pipe(socket).pipe(onward);
        });
        onward.on("error", () => socket.destroy());
      });
    read(() => {
      if (how === "hangs up") return void socket.destroy();
      if (how === "is silent") return;
      if (how === "is a web server") return void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      if (account === undefined) {
        target();
        return void socket.write(Buffer.from([5, 0]));
      }
      read((bytes) => {
        const name = bytes.subarray(2, 2 + bytes[1]!).toString();
        const isRight = `${name}:${bytes.subarray(3 + name.length).toString()}` === account;
        if (isRight) target();
        socket.write(Buffer.from([1, isRight ? 0 : 1]));
      });
      socket.write(Buffer.from([5, 2]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as { port: number }).port}`, asked, sockets };
}
