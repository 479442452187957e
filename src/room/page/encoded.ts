import type { ActionSpec } from "../ui-spec-schema.ts";

/** Encodes a button's tool and parameters the way its form sends them, with or without a script. */
export const encoded = ({ toolName, params }: Pick<ActionSpec, "toolName" | "params">): string => {
  const query = new URLSearchParams(params).toString();
  return query === "" ? toolName : `${toolName}?${query}`;
};
