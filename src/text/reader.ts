/** A command that a person runs in their terminal. It is written in the way in which this program is started there. */
interface Command {
  command: readonly string[];
}

/** The end of a sentence in which the person, spoken of or spoken to, does something by their own hand. */
interface OwnHand {
  hand: Command;
  whose: Whose;
  /** The verb for what they do there, for a language that names the place first. */
  verb: string;
}
type Whose = "theirs" | "yours";

/** A sentence some parts of which differ for each reader. */
interface Said<Part> {
  said: readonly Part[];
}

/** A sentence that anybody can read, because it names no command of a terminal. */
type ForAll = string | Said<string | OwnHand>;
/** A sentence that only a person with a terminal at hand can read. */
type AtTerminal = string | Said<string | OwnHand | Command>;

/**
 * One sentence for each reader: the AI that a client runs here, the person at a terminal, the person on a page
 * (`room`), and the AI whose client calls an endpoint. The endpoint without a line of its own reads the model's, and
 * the room reads the person's. If that line names a command, both read instead to whom they can turn (`Places`).
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

/** A sentence as a catalogue holds it. */
export type Line = AtTerminal | ByReader<Written>;

/** A catalogue as one reader sees it. */
export type Drawn<T> = T extends Said<unknown> | ByReader<Written>
  ? string
  : T extends ByReader<Maker<infer Args>>
    ? (...args: Args) => string
    : T extends string | ((...args: never[]) => unknown)
      ? T
      : { [K in keyof T]: Drawn<T[K]> };

/** Makes a sentence that contains commands or places. Every other part is words. */
export const say = <Parts extends (string | OwnHand | Command)[]>(
  words: TemplateStringsArray,
  ...parts: Parts
): Said<string | Parts[number]> => ({
  said: words.flatMap((text, i) => (i < parts.length ? [text, parts[i]!] : [text])),
});

/** Makes a command: `command("confirm", id)` reads as `towow-mcp confirm neg_…`. */
export const command = (...words: string[]): Command => ({ command: words });

/**
 * Makes an end that reads as "in their own terminal: towow-mcp …", on a page as that page, and at an endpoint as their
 * room.
 */
export const theirHand = (hand: Command, verb = ""): OwnHand => ({ hand, whose: "theirs", verb });
export const yourHand = (hand: Command, verb = ""): OwnHand => ({ hand, whose: "yours", verb });

export function byReader(each: Written): ByReader<Written>;
export function byReader<Args extends unknown[]>(each: Maker<Args>): ByReader<Maker<Args>>;
export function byReader<Each>(each: Each): ByReader<Each> {
  return { byReader: each };
}

/**
 * The reader of the texts. `start` returns how this program is started in their terminal, and `room` is the address of
 * their room, if there is one.
 */
export interface Reader {
  who: keyof Written;
  start?: () => string;
  room?: string | undefined;
}

/**
 * The places where a person does something, in the words of a language. `nowhere` is what room and endpoint read if the
 * person can do it nowhere.
 */
export interface Places {
  terminal: (whose: Whose, verb: string, line: string) => string;
  page: (verb: string) => string;
  room: (whose: Whose, verb: string, address: string) => string;
  ownProgram: (whose: Whose, verb: string, line: string) => string;
  nowhere: Record<"room" | "endpoint", string>;
}

/** Returns every sentence of a catalogue, as this reader sees it. */
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
