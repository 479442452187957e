import { isForChat } from "../tools.ts";
import type { ActionSpec, SectionSpec, UiSpec } from "../ui-spec-schema.ts";

/**
 * Returns the room's screen as the page in the chat shows it, without everything that leads away from the page's
 * question or goes on after its end. Pure.
 */
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
      // In the chat there is no profile, no new demand, no choice of scenes or demands, no export and no outside agent.
      return [];
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

/** Disables a button for a tool that the chat does not offer, so that only the button's text is shown. */
const asText = (action: ActionSpec, isThere: IsThere): ActionSpec =>
  isThere(action) ? action : { ...action, enabled: false };
