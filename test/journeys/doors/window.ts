import type { Said } from "../../faults/said.ts";
import { type Met, OWN_TEXT } from "../door.ts";
import type { Decision } from "../table.ts";
import type { Home } from "./argument.ts";

/** What a page may show: a button, by what it begins to send, or a note that something failed. */
export type Mark =
  | "withdraw"
  | "broadcast"
  | "edit"
  | "cancel"
  | "accept"
  | "an error"
  | "the main button"
  | `next?sceneId=${string}`;

/** What any browser shows of a room or a page, and what a person does there. */
export interface Screen {
  go(address: string): Promise<void>;
  /** Waits for the button, too. */
  click(button: Mark): Promise<void>;
  type(field: string, text: string): Promise<void>;
  /** Until one of them is there, or none. */
  waitFor(marks: readonly Mark[], isThere?: boolean): Promise<void>;
  isThere(mark: Mark): Promise<boolean>;
  read(): Promise<Said>;
  /** The same, once the page has all that is new. */
  readCurrent(): Promise<Said>;
  close(): Promise<void>;
}
export type OpenScreen = (home: Home) => Promise<Screen>;

/** One window of a person before the rooms and pages of their home. */
export function windowBefore(screen: Screen, home: Home, id: () => string) {
  let isOpen = false;
  /** Whether there is anything to decide; the page shows it as the backend has it, as soon as it has heard. */
  const isAsked = async () => {
    const { state, confirmedBy } = home.world.mock
      .negotiations()
      .find(({ negotiation_id }) => negotiation_id === id())!;
    const isAsking = state === "formulated" && confirmedBy === undefined;
    await screen.waitFor(["withdraw"], isAsking);
    return isAsking;
  };
  return {
    ...screen,
    go: (address: string) => {
      isOpen = true;
      return screen.go(address);
    },
    async decides(decision: Decision): Promise<Said> {
      if (!(await isAsked())) return screen.read();
      if (decision === "change") {
        await screen.click("edit");
        await screen.type("f-text", OWN_TEXT);
        await screen.click("edit");
      }
      await screen.click(decision === "reject" ? "withdraw" : "broadcast");
      return screen.readCurrent();
    },
    async cancels(): Promise<Said> {
      await screen.click("cancel");
      return screen.read();
    },
    /** Waits for the text, and says what is read there. */
    async meets(about: string | undefined): Promise<Met> {
      await screen.waitFor(["broadcast", "an error"]);
      return { id: (await screen.isThere("withdraw")) ? about : undefined, said: await screen.read() };
    },
    isOpen: () => isOpen,
    close: () => {
      isOpen = false;
      return screen.close();
    },
  };
}
