import type { HandlerResult } from "../ask/context.ts";
import type { Negotiation } from "../backend/contract.ts";
import type { Parts, ShownMarks } from "../session/shown-marks.ts";

interface Data extends Pick<Negotiation, "negotiation_id" | "state" | "participants"> {}
export type Whole<D> = Omit<Extract<HandlerResult<D>, { data: unknown }>, "summary" | "data"> & { data: D };
/** What is left of a result's data. */
export type Short<D extends Data> = Partial<D> & Pick<D, "negotiation_id" | "state"> & { view: "summary" };

/** Fields that every view holds, where they are set: what can be done next. */
const STANDING = ["deadline", "resume_with"];
const FIRST = [...STANDING, "open"];
/** More agents than this are one part: they are given again together. */
const MAX_SINGLE = 200;

/** The fingerprints of a whole result, a part for each field, agent and warning. */
export function partsOf<D extends Data>({ data, warnings = [] }: Whole<D>, marks: Pick<ShownMarks, "mark">): Parts {
  const { participants: agents, ...fields } = data;
  return Object.fromEntries([
    ...Object.entries(fields).map(([name, value]) => [name, marks.mark(value)]),
    ...(agents.length > MAX_SINGLE
      ? [["participants", marks.mark(agents)]]
      : agents.map((agent) => [agentPart(agent), marks.mark(agent)])),
    ...warnings.map((code) => [`warning ${code}`, ""]),
  ]);
}

const agentPart = ({ agent_id }: { agent_id: string }): string => `participant ${agent_id}`;

/**
 * The short view of a result: where it stands, and of the rest what is new since `before`, the parts that this session
 * has had. Without `before` nothing of the rest is given, and `uri` says where it can be read.
 */
export function shortView<D extends Data>(
  whole: Whole<D>,
  before: Parts | undefined,
  now: Parts,
  uri: string,
): Whole<Short<D>> {
  const isNew = (part: string) => before !== undefined && before[part] !== now[part];
  const { data, meta = {} } = whole;
  const { participants: agents, negotiation_id, state, ...fields } = data;
  const kept = agents.flatMap((agent, index) =>
    isNew(agents.length > MAX_SINGLE ? "participants" : agentPart(agent)) ? [index] : [],
  );
  const standing = before === undefined ? FIRST : STANDING;
  const short = {
    negotiation_id,
    state,
    view: "summary" as const,
    ...Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => isNew(name) || (standing.includes(name) && isSet(value))),
    ),
    ...(kept.length > 0 && { participants: kept.map((index) => agents[index]) }),
  } as Short<D>;
  const { truncated_paths = {}, truncated: _, ...rest } = meta;
  const cut = { ...(before === undefined && { "": uri }), ...pathsIn(truncated_paths, short, kept) };
  const tainted = whole.tainted?.filter((path) => path.slice(1) in short) ?? [];
  const { tainted: _tainted, taints, ...others } = whole;
  return {
    ...others,
    data: short,
    kept: data,
    meta: {
      ...rest,
      ...(Object.keys(cut).length > 0 && { truncated: true as const, truncated_paths: cut }),
    },
    ...(tainted.length > 0 && { tainted, ...(taints === false && { taints }) }),
  };
}

const isSet = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/** The pointers that still lead somewhere; agents have moved up. */
function pathsIn(
  paths: Readonly<Record<string, string>>,
  short: object,
  kept: readonly number[],
): Record<string, string> {
  const moved = Object.entries(paths).flatMap(([path, uri]): [string, string][] => {
    const [, field = "", index = "", ...more] = path.split("/");
    if (!(field in short)) return [];
    if (field !== "participants" || index === "") return [[path, uri]];
    const at = kept.indexOf(Number(index));
    return at < 0 ? [] : [[["", field, at, ...more].join("/"), uri]];
  });
  return Object.fromEntries(moved);
}

/** Whether two results say the same. */
export const isSame = (before: Parts, now: Parts): boolean =>
  Object.keys({ ...before, ...now }).every((part) => before[part] === now[part]);
