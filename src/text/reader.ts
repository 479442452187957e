/**
 * A command that a person runs in their terminal. The command is written in the way in which this program is started
 * on their machine.
 */
interface Command {
  command: readonly string[];
}

/**
 * The end of a sentence that says where the person does something themselves. The sentence speaks about the person
 * ("theirs") or to them ("yours").
 */
interface OwnHand {
  hand: Command;
  whose: Whose;
  /** The verb for what the person does there, for a language in which the place comes before the verb. */
  verb: string;
}
type Whose = "theirs" | "yours";

/** A sentence with parts that differ for each reader. */
interface Said<Part> {
  said: readonly Part[];
}

/** A sentence for any reader, because it names no command of a terminal. */
type ForAll = string | Said<string | OwnHand>;
/** A sentence that may name a command, for a person with a terminal. */
type AtTerminal = string | Said<string | OwnHand | Command>;

/**
 * One sentence for each reader: the AI of a client on this machine (`model`), the person at a terminal, the person on
 * a page (`room`), and the AI of a client that calls an endpoint. Without a sentence of its own, the endpoint uses
 * the model's and the room uses the person's. If that sentence names a command, both say instead whom to turn to
 * (`Places.nowhere`).
 */
interface Lines<Terminal, All> {
  model: Terminal;
  person?: Terminal;
  room?: All;
  endpoint?: All;
}
type Written = Lines<AtTerminal, ForAll>;
type Maker<Args extends unknown[]> = Lines<(...args: Args) => AtTerminal, (...args: Args) => ForAll>;
interface ByReader<Each> {
  byReader: Each;
}

/** A sentence in a catalogue, in one form or in several for different readers. */
export type Line = AtTerminal | ByReader<Written>;

/** A catalogue in the form for one reader. */
export type Drawn<T> = T extends Said<unknown> | ByReader<Written>
  ? string
  : T extends ByReader<Maker<infer Args>>
    ? (...args: Args) => string
    : T extends string | ((...args: never[]) => unknown)
      ? T
      : { [K in keyof T]: Drawn<T[K]> };

/** Builds a sentence that contains commands or places, from a template whose other parts are plain words. */
export const say = <Parts extends (string | OwnHand | Command)[]>(
  words: TemplateStringsArray,
  ...parts: Parts
): Said<string | Parts[number]> => ({
  said: words.flatMap((text, i) => (i < parts.length ? [text, parts[i]!] : [text])),
});

/** Builds a command: `command("confirm", id)` becomes `towow-mcp confirm neg_…`. */
export const command = (...words: string[]): Command => ({ command: words });

/**
 * Builds the end of a sentence that becomes "in their own terminal: towow-mcp …". On a page the end names the page,
 * and at an endpoint it names the person's room.
 */
export const theirHand = (hand: Command, verb = ""): OwnHand => ({ hand, whose: "theirs", verb });
export const yourHand = (hand: Command, verb = ""): OwnHand => ({ hand, whose: "yours", verb });

export function byReader(each: Written): ByReader<Written>;
export function byReader<Args extends unknown[]>(each: Maker<Args>): ByReader<Maker<Args>>;
export function byReader<Each>(each: Each): ByReader<Each> {
  return { byReader: each };
}

/**
 * The reader of the texts. `start` returns how this program is started in the reader's terminal, and `room` is the
 * address of the reader's room, if there is one.
 */
export interface Reader {
  who: keyof Written;
  start?: () => string;
  room?: string | undefined;
}

/**
 * The words of a language for the places where a person does something. `nowhere` holds what the room and the
 * endpoint say if there is no such place.
 */
export interface Places {
  terminal: (whose: Whose, verb: string, line: string) => string;
  page: (verb: string) => string;
  room: (whose: Whose, verb: string, address: string) => string;
  ownProgram: (whose: Whose, verb: string, line: string) => string;
  nowhere: Record<"room" | "endpoint", string>;
}

/** Returns every sentence of a catalogue in the form for this reader. */
export function drawnFor<T extends object>(catalogue: T, reader: Reader, places: Places): Drawn<T> {
  const all = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(all);
    if (value === null || typeof value !== "object") return value;
    if ("said" in value) return drawn(lineFor({ model: value as AtTerminal }));
    if ("byReader" in value) return chosen((value as ByReader<Written | Maker<unknown[]>>).byReader);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, all(one)]));
  };
  const chosen = (each: Written | Maker<unknown[]>) => {
    if (!isMaker(each)) return drawn(lineFor(each));
    return (...args: unknown[]) => {
      const made = Object.entries(each).map(([who, line]) => [who, line(...args)]);
      return drawn(lineFor(Object.fromEntries(made)));
    };
  };
  const lineFor = ({ model, person = model, room, endpoint }: Written): AtTerminal =>
    ({
      model,
      person,
      room: room ?? (namesCommand(person) ? places.nowhere.room : person),
      endpoint: endpoint ?? (namesCommand(model) ? places.nowhere.endpoint : model),
    })[reader.who];
  const drawn = (line: AtTerminal): string =>
    typeof line === "string"
      ? line
      : line.said
          .map((part) => (typeof part === "string" ? part : isCommand(part) ? typed(part) : where(part)))
          .join("");
  const typed = (part: Command): string => [reader.start?.() ?? "towow-mcp", ...part.command].join(" ");
  const where = ({ hand, whose, verb }: OwnHand): string => {
    if (reader.who === "room") return places.page(verb);
    if (reader.who !== "endpoint") return places.terminal(whose, verb, typed(hand));
    return reader.room === undefined
      ? places.ownProgram(whose, verb, typed(hand))
      : places.room(whose, verb, reader.room);
  };
  return all(catalogue) as Drawn<T>;
}

const isMaker = (each: Written | Maker<unknown[]>): each is Maker<unknown[]> => typeof each.model === "function";
const isCommand = (part: OwnHand | Command): part is Command => "command" in part;
const namesCommand = (line: AtTerminal): boolean =>
  typeof line !== "string" && line.said.some((part) => typeof part !== "string" && isCommand(part));
