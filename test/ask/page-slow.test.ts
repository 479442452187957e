import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { pagesOf } from "../support/pages.ts";
import { createWorld } from "../support/world.ts";

it("two hundred requests that never end do not keep the person from the page", async () => {
  const world = await createWorld();
  const process = await world.process();
  const demand = await process.call("towow_demand", { intent: "A designer" });
  const pages = pagesOf(world, process);
  onTestFinished(() => pages.close());
  const about = { negotiationId: demand.result.data.negotiation_id, host: undefined, lang: "en" } as const;
  const url = new URL((await pages.open(about)).forClient);
  const open = () => connect(Number(url.port), "127.0.0.1").on("error", () => {});
  const slow: Socket[] = Array.from({ length: 200 }, open);
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  for (const [i, socket] of slow.entries()) {
    const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 100000\r\n`;
    socket.write(i % 2 === 0 ? head : `${head}\r\ntext=`);
  }
  const person = open();
  person.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  expect(await text(person)).toMatch(/^HTTP\/1\.1 200 /);
});
