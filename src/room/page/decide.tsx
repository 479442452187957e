import type { ComponentChildren, JSX } from "preact";
import { duration } from "../../duration.ts";
import type { Section, UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Button, Form } from "./controls.tsx";
import { Editor } from "./editor.tsx";
import { End, More } from "./end.tsx";
import { Icon } from "./icons.tsx";
import { MARKS, Passages } from "./passages.tsx";
import { SHEET_FORM, sectionOf } from "./sections.ts";
import { current, updateStore } from "./store.ts";

/** Draws the submitted words beside the text that would be sent, with the decision below. */
export function Decide({ spec }: { spec: UiSpec }): JSX.Element {
  const quote = sectionOf(spec, "quote", "quote");
  const sheet = sectionOf(spec, "sheet");
  return (
    <div class="decide">
      <div class="yours">
        {quote === undefined || quote.passages.length === 0 ? null : (
          <section aria-labelledby="s-quote" class={isLong(quote) ? "long" : ""}>
            <h2 id="s-quote" class="who">
              <Icon name="me" /> {quote.heading}
            </h2>
            <blockquote>
              <Passages passages={quote.passages} />
            </blockquote>
          </section>
        )}
        <Agent spec={spec} />
      </div>
      {sheet === undefined ? <Waiting /> : <Sheet sheet={sheet} />}
      <Form id={SHEET_FORM}>
        <span class="vh" />
      </Form>
    </div>
  );
}

const LINES = [92, 97, 88, 64];

/** Returns whether the submitted text is long. On a phone a long text stands after the sheet, to keep the sheet in sight. */
const isLong = ({ passages }: Section<"quote">): boolean =>
  passages.reduce((length, { text }) => length + text.length, 0) > MAX_BEFORE_SHEET;
const MAX_BEFORE_SHEET = 300;

/** Draws an empty sheet in place of a text that is not there yet. */
export const Waiting = (): JSX.Element => (
  <div class="card sheet waiting" aria-hidden="true">
    <div class="text">
      {LINES.map((width) => (
        <svg key={width} width={`${width}%`} height="14" aria-hidden="true">
          <rect width="100%" height="14" rx="4" />
        </svg>
      ))}
    </div>
  </div>
);

interface SheetProps {
  sheet: Section<"sheet">;
  /** The parts that stand open below the text. */
  parts?: Section<"sheet">["parts"];
  /** What stands after the end of the text that would be sent. */
  children?: ComponentChildren;
}

export function Sheet({ sheet, parts = sheet.parts, children }: SheetProps): JSX.Element {
  const isNetworks = !sheet.isEdited && sheet.share > 0;
  const [edit, reset] = sheet.actions;
  return (
    <section class="card sheet" aria-labelledby="s-sheet">
      <svg class="share" width="100%" height="4" aria-hidden="true">
        <rect class="of-you" width="100%" height="4" />
        {sheet.share === 0 ? null : (
          <>
            <rect class="of-gap" x={`${100 - sheet.share}%`} width="100%" height="4" />
            <rect class="of-net" x={`${100 - sheet.share}%`} width="100%" height="4" transform="translate(2)" />
          </>
        )}
      </svg>
      <header>
        <h2 id="s-sheet" class={isNetworks ? "who net" : "who"}>
          <Icon name={isNetworks ? "net" : "pen"} />{" "}
          {isNetworks ? <span class="sw net">{sheet.heading}</span> : sheet.heading}
        </h2>
        <span class="s mu">{sheet.note}</span>
        {edit === undefined ? null : (
          <Button
            action={edit}
            form={SHEET_FORM}
            class="push"
            iconOnly={sheet.editor === undefined}
            {...(sheet.editor ? {} : { icon: "pen" as const })}
          />
        )}
      </header>
      {sheet.hidden === undefined ? null : <p class="s gone-words">{sheet.hidden}</p>}
      {sheet.editor === undefined ? (
        <div class="text" data-edit={edit?.enabled ? "" : undefined}>
          <Passages passages={sheet.passages} isNumbered />
        </div>
      ) : (
        <Editor editor={sheet.editor} personal={personalIn(sheet)} form={SHEET_FORM} />
      )}
      {sheet.leftOut === undefined ? null : (
        <p class="s gone-words left-out">
          {sheet.leftOut.label} <del>{sheet.leftOut.text}</del>{" "}
          {sheet.leftOut.action === undefined ? null : <Button action={sheet.leftOut.action} form={SHEET_FORM} />}
        </p>
      )}
      {sheet.editor || parts.length === 0 ? null : <Parts sheet={sheet} parts={parts} />}
      {sheet.gone === undefined ? null : (
        <p class="s gone-words">
          {sheet.gone.label} <del>{sheet.gone.text}</del>
        </p>
      )}
      <End id="sheet" />
      {children}
      <div class="foot row">
        <p class="legend">
          {sheet.legend.map(({ by, label }) => (
            <span key={by}>
              <span class={`sw ${MARKS[by]}`}>{label}</span>
            </span>
          ))}
        </p>
        {reset === undefined ? null : <Button action={reset} form={SHEET_FORM} class="push" />}
      </div>
    </section>
  );
}

const personalIn = ({ parts }: Section<"sheet">): string[] =>
  parts.flatMap(({ kind, text }) => (kind === "personal" ? text : []));

/** This many parts fit below each other on a small screen. */
const FEW = 4;

/** Draws the additions and the personal data, each with its switch. */
export function Parts({
  sheet,
  parts,
}: {
  sheet: Pick<Section<"sheet">, "selected">;
  parts: Section<"sheet">["parts"];
}): JSX.Element | null {
  const light = (id: string | undefined) => () => updateStore({ lit: id });
  return (
    <ol class={parts.length > FEW ? "adds" : "adds few"}>
      {parts.map(({ id, kind, text, origin, takenOut, action }) => (
        <li
          key={id}
          class={`${kind} ${takenOut ? "off" : ""} ${sheet.selected === id ? "pointed" : ""}`}
          {...(sheet.selected === id ? { "aria-current": "true" as const } : {})}
          onMouseEnter={light(id)}
          onMouseLeave={light(undefined)}
          onFocusIn={light(id)}
          onFocusOut={light(undefined)}
        >
          <span class="n" aria-hidden="true">
            {kind === "addition" ? id : "!"}
          </span>
          <span class="what">
            <span class="words">{kind === "personal" && !takenOut ? <span class="sw pii">{text}</span> : text}</span>
            {origin === undefined ? null : <small>{origin}</small>}
          </span>
          {action === undefined ? null : <Button action={action} form={SHEET_FORM} />}
        </li>
      ))}
    </ol>
  );
}

const CIRCLE = 150.8;

/** Returns whether a fact is unusual. Unusual facts are sentences, so each has a line of its own at every width. */
const isUnusual = ({ id }: Section<"bar">["facts"][number]): boolean => id.startsWith("unusual");

const Facts = ({ facts }: Pick<Section<"bar">, "facts">): JSX.Element => (
  <>
    {facts.map(({ id, term, value, detail }) => (
      <div key={id} class={id}>
        <dt {...(id === "deadline" ? { "aria-live": "polite" as const } : {})}>{term}</dt>
        <dd>
          <span>{value}</span>
          {detail === undefined ? null : <span class="mono">{detail}</span>}
        </dd>
      </div>
    ))}
  </>
);

/** Draws how much time is left to decide. */
export function Ring({ bar }: { bar: Section<"bar"> }): JSX.Element | null {
  if (bar.decideBy === undefined || bar.timer === undefined) return null;
  const left = Math.max(0, bar.decideBy - current().now);
  const share = bar.totalMs === 0 ? 1 : Math.min(1, left / bar.totalMs);
  return (
    <div class="ring" role="timer" aria-label={bar.timer}>
      <svg viewBox="0 0 52 52" aria-hidden="true">
        <circle class="bg" cx="26" cy="26" r="24" />
        <circle
          class="fg"
          cx="26"
          cy="26"
          r="24"
          stroke-dasharray={CIRCLE}
          stroke-dashoffset={CIRCLE * (1 - share)}
          stroke-linecap="round"
        />
      </svg>
      <span>{duration(left)}</span>
    </div>
  );
}

/** Draws what happens if the person does nothing, where the text goes, and the buttons to decide. */
export function Bar({ spec }: { spec: UiSpec }): JSX.Element | null {
  const bar = sectionOf(spec, "bar");
  if (bar === undefined) return null;
  const { isTextHeld, isNewStage, isOffline, isSending, drafts } = current();
  const isHeld = isNewStage || isOffline;
  const [withdraw, ...buttons] = bar.actions;
  const [unusual, usual] = [bar.facts.filter(isUnusual), bar.facts.filter((fact) => !isUnusual(fact))];
  return (
    <div class={`act ${bar.urgency}`}>
      <More />
      {unusual.length === 0 ? null : (
        <dl class="wrap unusual">
          <Facts facts={unusual} />
        </dl>
      )}
      <div class="wrap">
        <Ring bar={bar} />
        <dl>
          <Facts facts={usual} />
        </dl>
        {withdraw === undefined ? null : (
          <Button action={withdraw} size="big" form={SHEET_FORM} class="push" isHeld={isHeld} />
        )}
        <div class="btns row">
          {buttons.map((action) => (
            <Button
              key={action.id}
              action={action}
              size="big"
              form={SHEET_FORM}
              {...(action.toolName === "broadcast"
                ? {
                    icon: "cast" as const,
                    isHeld: isHeld || isSending || drafts.text !== undefined,
                    isUnarmed: isTextHeld,
                  }
                : {})}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
