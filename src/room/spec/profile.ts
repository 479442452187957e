import { profileConsequences } from "../../ask/consequences.ts";
import { personalKinds } from "../../safety/pii/named-only.ts";
import { joinList } from "../../text/join.ts";
import { FEW_SKILLS, isShortBio } from "../../use/join.ts";
import type { ProfileFieldId } from "../room-state.ts";
import type { FieldSpec, SectionSpec } from "../ui-spec-schema.ts";
import { button, type Drawing, sendsFrom } from "./drawing.ts";
import { askedScene, sceneNameOf } from "./scene.ts";

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

/** Splits a list that is edited as lines. Skills are short, so Chinese or English commas may separate them too. */
export const itemsOf = (id: ProfileFieldId, value: string): string[] =>
  value
    .split(id === "skills" ? /[\n,，、]/ : "\n")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export function profileSections(drawing: Drawing): SectionSpec[] {
  const { state, say, texts } = drawing;
  const { form } = state;
  const fields = SHOWN.map((id): FieldSpec => {
    const hint = say.profile.hints[id];
    return {
      id,
      kind: KIND[id],
      label: say.profile.fields[id],
      value: form.profile[id],
      ...(say.profile.placeholders[id] !== "" && { placeholder: say.profile.placeholders[id] }),
      ...(hint !== "" && { hint }),
      ...(form.touched.includes(id) && isThin(id, form.profile[id]) && { thin: true }),
      ...(FOLDED.includes(id) && { folded: true }),
      maxLength: MAX_LENGTH[id],
      ...(id === "display_name" && { required: true }),
      ...(form.byAgent.includes(id) && { byAgent: say.profile.byAgent }),
    };
  });
  const elsewhere = form.joined.find((id) => id !== form.sceneId);
  const asked = { elsewhere: elsewhere && askedScene(elsewhere, drawing) };
  const follows = [say.profile.everybody, ...profileConsequences(asked, texts).map(({ text }) => text)];
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
      kind: "facts",
      id: "follows",
      heading: say.profile.ifYouJoin,
      facts: follows.map((value) => ({ term: "", value })),
    },
    {
      kind: "form",
      id: "profile",
      more: say.profile.more,
      goes:
        form.profile.display_name.trim() === ""
          ? { term: say.profile.missing, value: say.profile.fields.display_name }
          : { term: say.profile.goesTo, value: sceneNameOf(drawing) ?? "", detail: joinDetail(drawing) },
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

/** The fields below a fold, because matching reads the others first. */
const FOLDED: readonly ProfileFieldId[] = ["experience", "interests", "description"];
const SHOWN: readonly ProfileFieldId[] = ["display_name", "bio", "skills", "capabilities", "constraints", ...FOLDED];

function isThin(id: ProfileFieldId, value: string): boolean {
  const isEmpty = value.trim() === "";
  if (id === "skills") return itemsOf(id, value).length < FEW_SKILLS;
  if (id === "bio") return isShortBio(value);
  return isEmpty && (id === "display_name" || id === "capabilities" || id === "experience");
}

/** Names the backend and the scene's id, because anybody can choose a scene's name freely but not its id. */
const joinDetail = ({ state: { form, host } }: Drawing): string => `${form.sceneId} · ${host}`;

/** Names the personal data in the fields that are sent from this stage. Returns an empty list if there is none. */
export function holdsPersonal({ state: { form }, stage, say, texts }: Drawing): string[] {
  const sent = { profile: Object.values(form.profile).join("\n"), demand: form.intent };
  if (stage !== "profile" && stage !== "demand") return [];
  const kinds = personalKinds(sent[stage]).map((kind) => texts.pii.kinds[kind]);
  return kinds.length === 0 ? [] : [say[stage].holds(joinList(kinds, texts.lang))];
}
