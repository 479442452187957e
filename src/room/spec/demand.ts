import type { SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing, sendsFrom } from "./drawing.ts";

export const MAX_INTENT_LENGTH = 20_000;

export function demandSections(drawing: Drawing): SectionSpec[] {
  const { state, say } = drawing;
  const { form } = state;
  const isJoined = form.joined.includes(form.sceneId);
  return [
    {
      kind: "form",
      id: "demand",
      fields: [
        {
          id: "intent",
          kind: "text",
          label: say.demand.field,
          value: form.intent,
          placeholder: say.demand.placeholder,
          maxLength: MAX_INTENT_LENGTH,
          required: true,
          ...(form.byAgent.includes("intent") && { byAgent: say.demand.byAgent }),
        },
      ],
      actions: [
        button(drawing, "next", state.busy === "submitting" ? say.demand.submitting : say.demand.submit, {
          tone: "primary",
          enabled: form.intent.trim() !== "",
          params: sendsFrom(drawing),
          id: "next",
        }),
        button(drawing, "prev", isJoined ? say.demand.other : say.demand.back),
      ],
    },
  ];
}
