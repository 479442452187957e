import { personalKinds } from "../../safety/pii/named-only.ts";
import { joinList } from "../../text/join.ts";
import { FEW_SKILLS, isShortBio } from "../../use/join.ts";
import { PROFILE_FIELDS, type ProfileFieldId } from "../room-state.ts";
import type { FieldSpec, SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing, sendsFrom } from "./drawing.ts";

const MAX_LENGTH: Record<ProfileFieldId, number> = {
  display_name: 100,
  bio: 5_000,
  description: 5_000,
  skills: 10_000,
  capabilities: 10_000,
  interests: 10_000,
  experience: 50_000,
  constraints: 5_000,
};
const KIND: Record<ProfileFieldId, FieldSpec["kind"]> = {
  display_name: "line",
  bio: "text",
  description: "text",
  skills: "list",
  capabilities: "list",
  interests: "list",
  experience: "text",
  constraints: "text",
};
const MAX_RESUME_LENGTH = 200_000;

/** The items of a field that is edited as lines; skills are short, and may be parted by commas of either language. */
export const itemsOf = (id: ProfileFieldId, value: string): string[] =>
  value
    .split(id === "skills" ? /[\n,，、]/ : "\n")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export function profileSections(drawing: Drawing): SectionSpec[] {
  const { state, say } = drawing;
  const { form } = state;
  const fields = PROFILE_FIELDS.map((id): FieldSpec => {
    const hint = form.visited.includes(id) ? thinHint(id, form.profile[id], drawing) : undefined;
    return {
      id,
      kind: KIND[id],
      label: say.profile.fields[id],
      value: form.profile[id],
      ...(say.profile.placeholders[id] !== "" && { placeholder: say.profile.placeholders[id] }),
      ...(hint !== undefined && { hint }),
      maxLength: MAX_LENGTH[id],
      ...(id === "display_name" && { required: true }),
      ...(form.byAgent.includes(id) && { byAgent: say.profile.byAgent }),
    };
  });
  const holds = piiKinds(Object.values(form.profile).join("\n"), drawing);
  return [
    {
      kind: "form",
      id: "resume",
      heading: say.profile.resume,
      note: say.profile.resumeNote,
      fields: [
        { id: "resume", kind: "text", label: say.profile.resume, value: form.resume, maxLength: MAX_RESUME_LENGTH },
      ],
      actions: [],
    },
    {
      kind: "form",
      id: "profile",
      heading: say.profile.read,
      ...(holds !== undefined && { warning: say.profile.holds(holds) }),
      fields,
      actions: [
        button(drawing, "next", state.busy === "joining" ? say.profile.joining : say.profile.join, {
          tone: "primary",
          enabled: form.profile.display_name.trim() !== "",
          params: sendsFrom(drawing),
          id: "next",
        }),
        button(drawing, "prev", say.profile.other),
      ],
    },
  ];
}

function thinHint(id: ProfileFieldId, value: string, { say }: Drawing): string | undefined {
  const { hints } = say.profile;
  const isEmpty = value.trim() === "";
  if (id === "display_name") return isEmpty ? hints.display_name : undefined;
  if (id === "skills") return itemsOf(id, value).length < FEW_SKILLS ? hints.skills : undefined;
  if (id === "bio") return isShortBio(value) ? hints.bio : undefined;
  if (id === "capabilities" || id === "experience") return isEmpty ? hints[id] : undefined;
  return undefined;
}

/** The kinds of personal data in a text, named; undefined without one. */
export function piiKinds(text: string, { texts }: Pick<Drawing, "texts">): string | undefined {
  const kinds = personalKinds(text).map((kind) => texts.pii.kinds[kind]);
  return kinds.length === 0 ? undefined : joinList(kinds, texts.lang);
}
