import { FROM_AGENT, RELAY_ERRORS, TO_AGENT } from "../../src/relay/protocol.ts";
import { ROOM_STAGES } from "../../src/room/room-state.ts";
import { ROOM_TOOLS, type RoomToolName, STAGE_TOOLS } from "../../src/room/tools.ts";
import { code, table } from "./markdown.ts";

/** What an outside agent may call, and in which stages. */
export function roomToolsTable(): string {
  const stagesOf = (name: RoomToolName) =>
    ROOM_STAGES.filter((stage) => (STAGE_TOOLS[stage] as Partial<Record<RoomToolName, string>>)[name] === "anyone");
  const rows = (Object.keys(ROOM_TOOLS) as RoomToolName[])
    .filter((name) => stagesOf(name).length > 0)
    .map((name) => {
      const params = Object.keys(ROOM_TOOLS[name].params.shape).map(code).join(", ");
      const stages = stagesOf(name);
      return [
        code(name),
        params || "–",
        stages.length === ROOM_STAGES.length ? "every stage" : stages.join(", "),
        ROOM_TOOLS[name].description,
      ];
    });
  return table(["Tool", "Parameters", "In", "What it does"], rows);
}

export function messagesTable(): string {
  const rows = [
    ...Object.entries(FROM_AGENT).map(([type, payload]) => ["agent", type, payload] as const),
    ...Object.entries(TO_AGENT).map(([type, payload]) => ["host", type, payload] as const),
  ].map(([from, type, { shape }]) => {
    const fields = Object.entries(shape).map(
      ([name, field]) => `${code(name)}${field.safeParse(undefined).success ? "?" : ""}`,
    );
    return [code(type), from, fields.join(", ") || "–"];
  });
  return table(["Type", "From", "Payload"], rows);
}

export const relayErrorsTable = (): string =>
  table(
    ["Code", "When"],
    Object.entries(RELAY_ERRORS).map(([name, when]) => [code(name), when]),
  );
