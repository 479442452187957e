import type { JSX } from "preact";
import type { UiSpec } from "../ui-spec-schema.ts";
import { Button, Control, Form } from "./controls.tsx";
import { Facts } from "./facts.tsx";
import { Icon } from "./icons.tsx";
import { AGENT_FORM, formOfFields, sectionOf } from "./sections.ts";

/** Draws what an outside agent did and why, in violet and with dashed lines. It never has a filled button. */
export function Agent({ spec }: { spec: UiSpec }): JSX.Element | null {
  const section = sectionOf(spec, "agent");
  if (section === undefined) return null;
  const form = formOfFields(spec);
  return (
    <section class="agentcard" aria-labelledby="s-agent">
      <h2 id="s-agent" class="who agent">
        <Icon name="plug" /> {section.heading}
      </h2>
      {section.lines.map(({ text, reason }, index) => (
        <div key={`${index}${text}`}>
          <p>{text}</p>
          {reason === undefined ? null : <p class="why">{reason}</p>}
        </div>
      ))}
      {section.proposal === undefined ? null : (
        <Facts
          facts={section.proposal.map(({ kind, label, text }) => ({
            term: label,
            value: kind === "takesOut" ? <del>{text}</del> : <ins>{text}</ins>,
          }))}
        />
      )}
      <Form class="row" id={AGENT_FORM}>
        {section.field === undefined ? null : (
          <>
            <label class="vh" for={`f-${section.field.id}`}>
              {section.field.label}
            </label>
            <Control field={{ ...section.field, placeholder: section.field.label }} form={form} />
          </>
        )}
        {section.actions.map((action) => (
          <Button key={action.id} action={action} form={form} hasFields={action.toolName === "say"} />
        ))}
        <span class="xs mu">{section.limits}</span>
      </Form>
    </section>
  );
}
