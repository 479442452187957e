import type { JSX } from "preact";
import type { FieldSpec, Section, UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Button, Control, Excess, FieldNotes, Form } from "./controls.tsx";
import { End, More } from "./end.tsx";
import { Icon } from "./icons.tsx";
import { formIdOf, formOfFields, sectionOf } from "./sections.ts";
import { current } from "./store.ts";

/** Scenes, with a search over them. */
export function Scenes({ spec }: { spec: UiSpec }): JSX.Element {
  const search = sectionOf(spec, "form", "search");
  const list = sectionOf(spec, "list", "scenes");
  const byId = sectionOf(spec, "form", "scene");
  return (
    <div class="scenes">
      {byId === undefined ? null : <Fields section={byId} isWide />}
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
    </div>
  );
}

/** Things of which one is chosen, and what is done with the choice. */
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
      {list.empty === undefined ? null : <p class="mu empty">{list.empty}</p>}
      <Form id={formIdOf(list)}>
        <ul>
          {list.items.map((item) => (
            <li key={item.id} class={item.selected ? "on" : ""}>
              {item.actions.length > 0 ? (
                <div class="item">
                  <ItemText item={item} />
                  {item.actions.map((action) => (
                    <Button key={action.id} action={action} />
                  ))}
                </div>
              ) : (
                <button
                  type="submit"
                  class="item"
                  name="do"
                  value={`select?itemId=${encodeURIComponent(item.id)}`}
                  aria-pressed={item.selected}
                >
                  <ItemText item={item} />
                </button>
              )}
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

const ItemText = ({ item }: { item: Section<"list">["items"][number] }): JSX.Element => (
  <>
    <span class="what">
      <span class="nm">{item.title}</span>
      {item.detail === undefined ? null : <span class="s mu">{item.detail}</span>}
    </span>
    {item.mark === undefined ? null : <span class="s mu end">{item.mark}</span>}
  </>
);

/** Fields as rows of name and control; what may be left out is below a fold, which opens where something stands in it. */
function Fields({ section, isWide = false }: { section: Section<"form">; isWide?: boolean }): JSX.Element {
  const folded = section.fields.filter((field) => field.folded);
  return (
    <section class="card blk" {...(section.heading === undefined ? {} : { "aria-labelledby": `s-${section.id}` })}>
      <Form id={formIdOf(section)}>
        {section.heading === undefined ? null : <h2 id={`s-${section.id}`}>{section.heading}</h2>}
        {section.fields.map((field) => (field.folded ? null : <Row key={field.id} field={field} isWide={isWide} />))}
        {folded.length === 0 ? null : (
          <details open={folded.some(({ value }) => value !== "")}>
            <summary class="s mu">{section.more}</summary>
            {folded.map((field) => (
              <Row key={field.id} field={field} />
            ))}
          </details>
        )}
        {section.note === undefined ? null : <p class="s mu below">{section.note}</p>}
        {section.warning === undefined ? null : <p class="s me-note">{section.warning}</p>}
      </Form>
    </section>
  );
}

/** What helps stands under the name, always: nothing moves as it is filled in. */
const Row = ({ field, isWide = false }: { field: FieldSpec; isWide?: boolean }): JSX.Element => (
  <div class={`f ${field.thin ? "thin" : ""} ${isWide ? "wide" : ""}`}>
    <div>
      <label for={`f-${field.id}`}>{field.label}</label>
      {field.hint === undefined ? null : (
        <p class="hint" id={`h-${field.id}`}>
          {field.hint}
        </p>
      )}
    </div>
    <Control field={field} />
    <FieldNotes field={{ ...field, hint: undefined }} />
  </div>
);

/** The way on: in the same place on every stage before the decision. */
export function StageBar({ spec }: { spec: UiSpec }): JSX.Element | null {
  const section = spec.sections.find(
    (one) => (one.kind === "form" || one.kind === "list") && one.actions.some(({ tone }) => tone === "primary"),
  );
  if (section === undefined || !("actions" in section)) return null;
  const { isGuarded, isNewStage, isOffline } = current();
  const chosen = section.kind === "list" ? section.items.find(({ selected }) => selected) : undefined;
  const byWeight = [...section.actions].sort((a, b) => Number(a.tone === "primary") - Number(b.tone === "primary"));
  const buttons = section.kind === "list" ? byWeight.filter(({ tone }) => tone === "primary") : byWeight;
  return (
    <div class="act stage">
      <More />
      <div class="wrap">
        {section.kind === "form" && section.goes !== undefined ? (
          <dl>
            <div>
              <dt>{section.goes.term}</dt>
              <dd>
                {section.goes.value}
                {section.goes.detail === undefined ? null : <span class="mono">{section.goes.detail}</span>}
              </dd>
            </div>
          </dl>
        ) : null}
        {chosen === undefined ? null : (
          <span class="chosen">
            <b>{chosen.title}</b>
            <span class="xs mu">{chosen.mark}</span>
          </span>
        )}
        {buttons.map((action) => (
          <Button
            key={action.id}
            action={action}
            size="big"
            form={formIdOf(section)}
            hasFields={section.kind === "form" && action.tone === "primary"}
            isHeld={isNewStage || isOffline}
            isUnarmed={isGuarded && action.tone === "primary"}
          />
        ))}
      </div>
    </div>
  );
}

/** What agents will read; beside it what follows from joining, and a résumé to copy from. */
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
          <details key={field.id} open={field.value !== ""}>
            <summary>{resume.heading}</summary>
            <Control field={field} rows={10} isAlone form={formOfFields(spec)} />
            <Excess field={field} />
            <p class="s mu below">{resume.note}</p>
          </details>
        ))}
        <Agent spec={spec} />
      </aside>
    </div>
  );
}

/** The demand, in one large field. */
export function Demand({ spec }: { spec: UiSpec }): JSX.Element {
  const section = sectionOf(spec, "form", "demand");
  return (
    <div class="narrow">
      {section === undefined ? null : <OneField section={section} rows={8} isLarge />}
      <End id="demand" />
    </div>
  );
}

/** One field that is the whole of its section. */
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
        {section.warning === undefined ? null : <p class="s me-note">{section.warning}</p>}
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
