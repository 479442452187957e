import { isForChat } from "../tools.ts";
import type { ActionSpec, SectionSpec, UiSpec } from "../ui-spec-schema.ts";

/** The screen as the page in the chat has it: without what leads away from its question, or goes on from its end. Pure. */
export function chatSpec(spec: UiSpec): UiSpec {
  const isThere = ({ toolName }: ActionSpec): boolean => isForChat(spec.stage, toolName);
  return {
    ...spec,
    sections: spec.sections.flatMap((section) => sectionInChat(section, isThere)),
    menu: spec.menu.filter(isThere),
  };
}

type IsThere = (action: ActionSpec) => boolean;

function sectionInChat(section: SectionSpec, isThere: IsThere): SectionSpec[] {
  switch (section.kind) {
    case "form":
    case "list":
    case "agent":
      return []; // a profile, a demand, scenes and demands to choose from, somebody else in the room
    case "people":
      return [{ ...section, gaps: section.gaps.map((gap) => ({ ...gap, action: asText(gap.action, isThere) })) }];
    case "course":
      return [{ ...section, ...(section.open && { open: openInChat(section.open, isThere) }) }];
    default:
      return ["actions" in section ? { ...section, actions: section.actions.filter(isThere) } : section];
  }
}

type Open = NonNullable<Extract<SectionSpec, { kind: "course" }>["open"]>;
const openInChat = (open: Open, isThere: IsThere): Open => ({
  ...open,
  items: open.items.map((item) => ({ ...item, action: asText(item.action, isThere) })),
});

/** What stands on a button is still to be read where it cannot be pressed. */
const asText = (action: ActionSpec, isThere: IsThere): ActionSpec =>
  isThere(action) ? action : { ...action, enabled: false };
