import type { JSX } from "preact";
import type { FieldSpec, ItemSpec, Section, UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Button, Control, Excess, FieldNotes, Form } from "./controls.tsx";
import { encoded } from "./encoded.ts";
import { End, More } from "./end.tsx";
import { Fold } from "./fold.tsx";
import { Icon } from "./icons.tsx";
import { formIdOf, formOfFields, sectionOf } from "./sections.ts";
import { current } from "./store.ts";

/** Draws the scenes with a search, and the field for a scene's id: below them, or alone if the backend lists no scenes. */
export function Scenes({ spec }: { spec: UiSpec }): JSX.Element {
  const search = sectionOf(spec, "form", "search");
  const list = sectionOf(spec, "list", "scenes");
  const byId = sectionOf(spec, "form", "scene");
  return (
    <div class="scenes">
      {search?.fields.map((field) => (
        <Form key={field.id} id={formIdOf(search)} class="search">
          <label class="vh" for={`f-${field.id}`}>
            {field.label}
          </label>
          <Icon name="find" />
          <Control field={field} />
          <button type="submit" class="b unscripted" name="do" value="">
            {field.label}
          </button>
        </Form>
      ))}
      {list === undefined ? null : <Items list={list} />}
      {byId === undefined ? null : <ById section={byId} form={formOfFields(spec)} />}
    </div>
  );
}

function ById({ section, form }: { section: Section<"form">; form: string | undefined }): JSX.Element {
  const { more, note, fields, actions } = section;
  const rows = (
    <div class="by-id">
      {note === undefined ? null : <p>{note}</p>}
      {fields.map((field) => (
        <Row key={field.id} field={field} form={form} isWide />
      ))}
      {actions.map((action) => (
        <Button key={action.id} action={action} form={form} hasFields />
      ))}
    </div>
  );
  if (more === undefined) return <Form id={form}>{rows}</Form>;
  return (
    <Fold section={{ heading: more }} isFilled={isFilled(fields)}>
      {rows}
    </Fold>
  );
}

const isFilled = (fields: readonly FieldSpec[]): boolean => fields.some(({ value }) => value !== "");

/** Draws items with their buttons. An item that only leads on is itself the button. */
export function Items({ list, isNamed = false }: { list: Section<"list">; isNamed?: boolean }): JSX.Element {
  return (
    <section
      {...(list.heading === undefined ? {} : { "aria-labelledby": `s-${list.id}` })}
      class={`items of-${list.id}`}
    >
      {list.heading === undefined ? null : (
        <h2 class={isNamed ? "" : "vh"} id={`s-${list.id}`}>
          {list.heading}
        </h2>
      )}
      {list.note === undefined ? null : <p class="s mu">{list.note}</p>}
      <Form id={formIdOf(list)}>
        <p class="mu empty" role="status">
          {list.empty}
        </p>
        <ul>
          {list.items.map((item) => (
            <li key={item.id} class={item.selected ? "on" : ""}>
              <Item item={item} />
            </li>
          ))}
        </ul>
        <div class="row after">
          {list.actions
            .filter(({ tone }) => tone !== "primary")
            .map((action) => (
              <Button key={action.id} action={action} />
            ))}
        </div>
      </Form>
    </section>
  );
}

function Item({ item: { title, detail, tag, mark, selected, actions } }: { item: ItemSpec }): JSX.Element {
  const { isNewStage, isOffline } = current();
  const text = (
    <>
      <span class="what">
        <span class="nm">{title}</span>
        {detail === undefined ? null : <span class="s mu">{detail}</span>}
      </span>
      {tag === undefined ? null : <span class="tag">{tag}</span>}
      {mark === undefined ? null : <span class="s mu end">{mark}</span>}
    </>
  );
  const way = actions.find(({ toolName }) => toolName === "next");
  if (way !== undefined)
    return (
      <button
        type="submit"
        class="item"
        name="do"
        value={encoded(way)}
        disabled={isNewStage || isOffline || !way.enabled}
        {...(selected ? { "aria-current": true } : {})}
      >
        {text}
        <Icon name="on" />
      </button>
    );
  return (
    <div class="item">
      {text}
      {actions.map((action) => (
        <Button key={action.id} action={action} />
      ))}
    </div>
  );
}

/** Draws fields as rows of name and control. Optional fields stand below a fold, which opens if one of them is filled. */
function Fields({ section }: { section: Section<"form"> }): JSX.Element {
  const folded = section.fields.filter((field) => field.folded);
  return (
    <section class="card blk" {...(section.heading === undefined ? {} : { "aria-labelledby": `s-${section.id}` })}>
      <Form id={formIdOf(section)}>
        {section.heading === undefined ? null : <h2 id={`s-${section.id}`}>{section.heading}</h2>}
        {section.fields.map((field) => (field.folded ? null : <Row key={field.id} field={field} />))}
        {folded.length === 0 ? null : (
          <Fold section={{ heading: section.more }} isFilled={isFilled(folded)}>
            {folded.map((field) => (
              <Row key={field.id} field={field} />
            ))}
          </Fold>
        )}
        {section.note === undefined ? null : <p class="s mu below">{section.note}</p>}
      </Form>
    </section>
  );
}

/** Draws one row. Its hint always stands under the name, so that nothing moves while the field is filled in. */
const Row = ({
  field,
  form,
  isWide = false,
}: {
  field: FieldSpec;
  form?: string | undefined;
  isWide?: boolean;
}): JSX.Element => (
  <div class={`f ${field.thin ? "thin" : ""} ${isWide ? "wide" : ""}`}>
    <div>
      <label for={`f-${field.id}`}>{field.label}</label>
      {field.hint === undefined ? null : (
        <p class="hint" id={`h-${field.id}`}>
          {field.hint}
        </p>
      )}
    </div>
    <Control field={field} form={form} />
    <FieldNotes field={{ ...field, hint: undefined }} />
  </div>
);

/** Draws the buttons that lead on, in the same place on every stage that sends fields. */
export function StageBar({ spec }: { spec: UiSpec }): JSX.Element | null {
  const section = spec.sections.find(
    (one): one is Section<"form"> => one.kind === "form" && one.actions.some(({ tone }) => tone === "primary"),
  );
  if (section === undefined) return null;
  const { isTextHeld, isNewStage, isOffline } = current();
  const buttons = [...section.actions].sort((a, b) => Number(a.tone === "primary") - Number(b.tone === "primary"));
  return (
    <div class="act stage">
      <More />
      <div class="wrap">
        {section.goes === undefined ? null : (
          <dl>
            <div>
              <dt>{section.goes.term}</dt>
              <dd>
                {section.goes.value}
                {section.goes.detail === undefined ? null : <span class="mono">{section.goes.detail}</span>}
              </dd>
            </div>
          </dl>
        )}
        {buttons.map((action) => (
          <Button
            key={action.id}
            action={action}
            size="big"
            form={formIdOf(section)}
            hasFields={action.tone === "primary"}
            isHeld={isNewStage || isOffline}
            {...(action.tone === "primary" ? { isUnarmed: isTextHeld } : {})}
          />
        ))}
      </div>
    </div>
  );
}

/** Draws the fields that agents will read, beside what follows from joining and a résumé to copy from. */
export function Profile({ spec }: { spec: UiSpec }): JSX.Element {
  const resume = sectionOf(spec, "form", "resume");
  const profile = sectionOf(spec, "form", "profile");
  const follows = sectionOf(spec, "facts");
  return (
    <div class="join">
      {profile === undefined ? null : (
        <div>
          <Fields section={profile} />
          <End id="profile" />
        </div>
      )}
      <aside class="stack" aria-label={follows?.heading}>
        {follows === undefined ? null : (
          <div>
            <h2>{follows.heading}</h2>
            <ul class="s">
              {follows.facts.map(({ value }) => (
                <li key={value}>{value}</li>
              ))}
            </ul>
          </div>
        )}
        {resume?.fields.map((field) => (
          <Fold key={field.id} section={{ heading: resume.heading }} isFilled={field.value !== ""}>
            <Control field={field} rows={10} isAlone form={formOfFields(spec)} />
            <Excess field={field} />
            <p class="s mu below">{resume.note}</p>
          </Fold>
        ))}
        <Agent spec={spec} />
      </aside>
    </div>
  );
}

/** Draws the demand in one large field. */
export function Demand({ spec }: { spec: UiSpec }): JSX.Element {
  const section = sectionOf(spec, "form", "demand");
  return (
    <div class="narrow">
      {section === undefined ? null : <OneField section={section} rows={8} isLarge />}
      <End id="demand" />
    </div>
  );
}

/** Draws a section that consists of one field. */
export function OneField({
  section,
  rows,
  isLarge = false,
}: {
  section: Section<"form">;
  rows: number;
  isLarge?: boolean;
}): JSX.Element {
  const { heading, note, fields, actions } = section;
  return (
    <section class="stack one" {...(heading === undefined ? {} : { "aria-labelledby": `s-${section.id}` })}>
      {heading === undefined ? null : (
        <div>
          <h2 id={`s-${section.id}`}>{heading}</h2>
          {note === undefined ? null : <p class="s mu">{note}</p>}
        </div>
      )}
      <Form class="stack" id={formIdOf(section)}>
        {fields.map((field: FieldSpec) => (
          <div key={field.id} class={isLarge ? "large" : ""}>
            {heading === undefined ? (
              <label class="vh" for={`f-${field.id}`}>
                {field.label}
              </label>
            ) : null}
            <Control field={field} rows={rows} {...(heading === undefined ? {} : { labelledBy: `s-${section.id}` })} />
            <FieldNotes field={field} />
          </div>
        ))}
        {isLarge ? null : (
          <div class="row wraps">
            {actions.map((action) => (
              <Button key={action.id} action={action} hasFields={action.tone === "primary"} />
            ))}
          </div>
        )}
      </Form>
    </section>
  );
}
