import { onTestFinished } from "vitest";
import { openLocalRoom } from "../../../src/app/local-room.ts";
import type { Runtime } from "../../../src/app/runtime.ts";
import { silentLog } from "../../../src/log.ts";
import { temporaryHome } from "../../support/home.ts";
import { pagesOf } from "../../support/pages.ts";
import { type Door, NAME, PROFILE } from "../door.ts";
import { besides, createHome, type Given, joining } from "./argument.ts";
import { type OpenScreen, windowBefore } from "./window.ts";

const ROOT = new URL("../../../", import.meta.url);

/** The page that a program opens for its question. */
export const page =
  (screen: OpenScreen) =>
  async (given: Given): Promise<Door> => {
    const home = await createHome(given);
    let id = "";
    const window = windowBefore(await screen(home), home, () => id);
    let pages = pagesOf(home.world, home.p);
    onTestFinished(() => pages.close());
    const common = besides(home, () => id);
    const ask = async (negotiationId: string) => {
      id = negotiationId;
      const { forClient } = await pages.open({ negotiationId, lang: "en" });
      await window.go(forClient);
      return window.meets(id);
    };
    return {
      ...common,
      async join() {
        // Behind text of others an AI's word sends no profile: the page asks.
        await home.world.tainted.keep(home.world.clock.now() + 3_600_000, 3_600_000);
        const call = home.p.start("towow_join", joining(home.world.sceneId));
        await home.world.clock.until(() => home.p.sends.length > 0);
        await home.world.clock.run(call);
        const { forClient } = await pages.openPermission(home.p.sends[0]!);
        await window.go(forClient);
        await window.click("accept");
        return window.read();
      },
      async demand(intent) {
        const { result } = await home.p.call("towow_demand", { intent });
        if (result.data?.negotiation_id === undefined) return { said: { text: result.error?.message ?? "" } };
        return ask(result.data.negotiation_id);
      },
      ask,
      decide: window.decides,
      leave: window.close,
      // Who has no page before them any more asks their client.
      look: () => (window.isOpen() ? window.readCurrent() : common.look()),
      cancel: window.cancels,
      async restart() {
        await window.close();
        pages.close();
        await common.restart();
        pages = pagesOf(home.world, home.p);
      },
    };
  };

/** `towow-mcp open`: from the scenes to the plan, by clicks and keys. */
export const room =
  (screen: OpenScreen) =>
  async (given: Given): Promise<Door> => {
    const home = await createHome(given);
    let id = "";
    const window = windowBefore(await screen(home), home, () => id);
    const folder = await temporaryHome();
    let close = async () => {};
    onTestFinished(() => close());
    const common = besides(home, () => id);
    const open = async (negotiationId?: string) => {
      await close();
      const { deps } = home.p;
      const account = () => deps.accounts.at(undefined);
      const platform = { ...deps, log: silentLog };
      const runtime = { deps, platform, live: deps.live, config: { home: folder }, account };
      const opened = await openLocalRoom(runtime as unknown as Runtime, { root: ROOT, port: 0, negotiationId });
      close = opened.close;
      await window.go(opened.address());
    };
    const newest = () => home.world.mock.negotiations().at(-1)?.negotiation_id;
    return {
      ...common,
      async join() {
        await open();
        await window.click(`next?sceneId=${home.world.mock.scenes()[1]?.scene_id}`);
        await window.type("f-display_name", NAME);
        await window.type("f-bio", PROFILE.bio);
        await window.type("f-skills", PROFILE.skills.join("\n"));
        await window.click("the main button");
        return window.read();
      },
      async demand(intent) {
        const before = newest();
        await open();
        await window.click("next?sceneId="); // the scene of last time stands first
        await window.type("f-intent", intent);
        await window.click("the main button");
        const met = await window.meets(undefined);
        id = newest() ?? id;
        return { ...met, id: newest() === before ? undefined : id };
      },
      async ask(negotiationId) {
        id = negotiationId;
        await open(id);
        return window.meets(id);
      },
      decide: window.decides,
      leave: window.close,
      async look() {
        if (!window.isOpen()) await open(id);
        return window.readCurrent();
      },
      cancel: window.cancels,
      async restart() {
        await window.close();
        await close();
        close = async () => {};
        await common.restart();
      },
    };
  };
