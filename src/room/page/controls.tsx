import type { ComponentChildren, JSX } from "preact";
import type { ActionSpec, FieldSpec } from "../ui-spec-schema.ts";
import { encoded } from "./encoded.ts";
import { MORE } from "./end.tsx";
import { enterIn } from "./enter.ts";
import { Icon, type IconName } from "./icons.tsx";
import { excessOf, hasExcess } from "./lengths.ts";
import { current, shownValue } from "./store.ts";

const TONES: Record<ActionSpec["tone"], string> = { primary: "b go", plain: "b", quiet: "b t", danger: "b no" };

/** The class of a fold that holds the question of a button. */
export const ASKING = "asks";

/** Tools that send nothing but close a field. Their buttons are disabled while a text is too long, because it would be lost. */
const LEAVES_FIELD = ["edit", "prev"];

interface ButtonProps {
  action: ActionSpec;
  size?: "big";
  icon?: IconName;
  /** True if the button is disabled for the moment, even if the action is enabled. */
  isHeld?: boolean;
  /** Set only on a button that sends something. True while what it sends has not been seen to its end. */
  isUnarmed?: boolean;
  class?: string;
  /** The id of the button's form, if the button stands outside of it. */
  form?: string | undefined;
  iconOnly?: boolean;
  /** True if the button belongs to fields that may be filled in by the time it is pressed. */
  hasFields?: boolean;
}

/**
 * Draws a button of the spec. Its value names the tool, so that it works without any script. A button with a question
 * first opens that question, in which the button stands again as the yes.
 */
export function Button({ action: { asks, ...action }, ...props }: ButtonProps): JSX.Element {
  return asks === undefined ? (
    <Press {...props} action={action} />
  ) : (
    <Asking asks={asks} label={action.label} size={props.size}>
      <Press {...props} action={{ ...action, label: asks.yes }} class="stop" />
    </Asking>
  );
}

/** Draws the question of a button. It is a fold, because a fold opens without a script. Both answers close it. */
const Asking = ({
  asks: { heading, alert, follows, no },
  label,
  size,
  children,
}: {
  asks: NonNullable<ActionSpec["asks"]>;
  label: string;
  size: ButtonProps["size"];
  children: ComponentChildren;
}): JSX.Element => (
  <details class={ASKING}>
    <summary class={`b no ${size ?? ""}`}>{label}</summary>
    <section class="card" aria-labelledby="s-asks">
      <h2 id="s-asks">{heading}</h2>
      <strong class="mine">{alert}</strong>
      {follows.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <div class="row">
        <button type="submit" class={`b ${size ?? ""}`} name="do" value="">
          {no}
        </button>
        {children}
      </div>
    </section>
  </details>
);

function Press({
  action,
  size,
  icon,
  isHeld = false,
  isUnarmed,
  class: extra = "",
  form,
  iconOnly,
  hasFields = false,
}: ButtonProps): JSX.Element {
  const { isLive } = current();
  const isOver = (action.tone === "primary" || LEAVES_FIELD.includes(action.toolName)) && hasExcess();
  // Until the script runs, a button that sends must not look as if it could.
  const isUnready = isUnarmed !== undefined && !isLive;
  const classes = [TONES[action.tone], size ?? "", isUnready ? "unready" : "", extra].filter(Boolean).join(" ");
  return (
    <button
      type="submit"
      class={classes}
      name="do"
      value={encoded(action)}
      disabled={isHeld || isOver || (!action.enabled && (isLive || !hasFields))}
      formNoValidate={action.tone !== "primary"}
      {...(isUnarmed === true ? { "aria-disabled": true, "aria-describedby": MORE } : {})}
      {...(form === undefined ? {} : { form })}
      {...(iconOnly ? { "aria-label": action.label } : {})}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {iconOnly ? <span class="lbl">{action.label}</span> : action.label}
      {action.about === undefined ? null : <span class="vh"> {action.about}</span>}
    </button>
  );
}

/**
 * Draws an invisible first button of a form, because Enter in a field presses the first button. In most forms it is
 * disabled, so that Enter does nothing.
 */
export function DefaultButton({ id, isOutside = false }: { id?: string; isOutside?: boolean }): JSX.Element {
  const what = enterIn(current().spec, id);
  return (
    <button
      type="submit"
      class="vh"
      name="do"
      value={what ?? ""}
      disabled={what === undefined}
      formNoValidate
      tabIndex={-1}
      aria-hidden="true"
      {...(isOutside ? { form: id } : {})}
    />
  );
}

/** Draws a form of the room. Enter sends a line that is alone in its form, and does nothing in any other field. */
export function Form({
  id,
  class: classes,
  children,
}: {
  id?: string | undefined;
  class?: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <form
      method="post"
      action={`${current().base}/act`}
      {...(id === undefined ? {} : { id })}
      {...(classes === undefined ? {} : { class: classes })}
    >
      <DefaultButton {...(id === undefined ? {} : { id })} />
      {children}
    </form>
  );
}

const LINES: Record<FieldSpec["kind"], number> = { line: 1, search: 1, text: 3, list: 3 };

interface FieldProps {
  field: FieldSpec;
  rows?: number;
  /** The id of the heading that already names the field. */
  labelledBy?: string;
  form?: string | undefined;
  /** True if the field stands alone, with no label beside it. */
  isAlone?: boolean;
}

/** Draws the control of a field, named by its label or by the heading above it. */
export function Control({
  field,
  rows = LINES[field.kind],
  labelledBy,
  form,
  isAlone = false,
}: FieldProps): JSX.Element {
  const isLong = field.kind === "text" || field.kind === "list";
  const described = [field.hint && `h-${field.id}`, field.byAgent && `w-${field.id}`].filter(Boolean).join(" ");
  const shared = {
    id: `f-${field.id}`,
    name: `f.${field.id}`,
    // A browser would silently cut a pasted text or ignore further keys, so the page checks the length if a script runs.
    // It sets the attribute, because leaving out the property `maxLength` would not remove the limit but make it 0.
    ...(isLong && current().isLive ? {} : { maxlength: field.maxLength }),
    "data-field": field.id,
    required: field.required === true,
    ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
    ...(isAlone ? { "aria-label": field.label } : {}),
    ...(labelledBy === undefined ? {} : { "aria-labelledby": labelledBy }),
    ...(described === "" ? {} : { "aria-describedby": described }),
    ...(form === undefined ? {} : { form }),
  };
  const value = shownValue(field.id, field.value);
  if (field.kind === "search") return <input type="search" autocomplete="off" {...shared} value={value} />;
  if (field.kind === "line") return <input type="text" autocomplete="off" {...shared} value={value} />;
  return <textarea rows={rows} {...shared} value={value} />;
}

/** Says that a text is too long for its field, and by how much. */
export function Excess({ field }: { field: FieldSpec }): JSX.Element {
  const { spec, drafts } = current();
  const excess = excessOf(field, drafts[field.id]);
  const figure = (n: number) => n.toLocaleString(spec.lang);
  return (
    <span role="status" class={excess === 0 ? "vh" : "hint me-note"}>
      {excess === 0 ? "" : spec.tooLong.replace("{over}", figure(excess)).replace("{max}", figure(field.maxLength))}
    </span>
  );
}

/** Draws the notes of a field: that its text is too long, that an agent wrote it, and its hint. */
export const FieldNotes = ({ field }: { field: FieldSpec }): JSX.Element => (
  <>
    <Excess field={field} />
    {field.byAgent === undefined ? null : (
      <span class="hint by-agent" id={`w-${field.id}`}>
        <Icon name="plug" />
        {field.byAgent}
      </span>
    )}
    {field.hint === undefined ? null : (
      <span class="hint" id={`h-${field.id}`}>
        <Icon name="pen" />
        {field.hint}
      </span>
    )}
  </>
);
