import type { ActionSpec } from "../ui-spec-schema.ts";

/** A button's tool and parameters, as its form sends them: without a script too. */
export const encoded = ({ toolName, params }: Pick<ActionSpec, "toolName" | "params">): string => {
  const query = new URLSearchParams(params).toString();
  return query === "" ? toolName : `${toolName}?${query}`;
};
