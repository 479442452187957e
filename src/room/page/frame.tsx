import type { JSX } from "preact";
import { duration } from "../../duration.ts";
import { mark } from "../../style/mark.ts";
import type { UiSpec } from "../ui-spec-schema.ts";
import { Button, DefaultButton, Form } from "./controls.tsx";
import { End } from "./end.tsx";
import { formOfFields } from "./sections.ts";
import { current } from "./store.ts";

/** Draws the bar at the top, which names the room, the scene and the backend. */
export function TopBar({ spec }: { spec: UiSpec }): JSX.Element {
  const form = formOfFields(spec);
  const done = spec.steps.filter(({ state }) => state === "done").length;
  return (
    <header class="wrap top">
      <span class="sign" aria-hidden="true" dangerouslySetInnerHTML={{ __html: mark(done) }} />
      <b>{spec.brand}</b>
      <span class="mu opt">{spec.room}</span>
      {spec.scene === undefined ? null : (
        <>
          <span class="sep opt" aria-hidden="true">
            /
          </span>
          <span class="scene-name">{spec.scene}</span>
        </>
      )}
      <span class="push" />
      <span class="pill opt mono">{spec.host}</span>
      <Form class="menu">
        {form === undefined ? null : <DefaultButton id={form} isOutside />}
        {spec.menu.map((action) => (
          <Button key={action.id} action={action} class={action.toolName === "setLanguage" ? "" : "opt"} form={form} />
        ))}
      </Form>
    </header>
  );
}

/** Draws the six steps as the lines of a hexagram: a broken line is still to come, and a whole one is done. */
export function Rail({ spec }: { spec: UiSpec }): JSX.Element {
  const { now } = current();
  const step = spec.steps.find(({ state }) => state === "now");
  const running = step?.since === undefined ? undefined : duration(now - step.since);
  return (
    <nav class="wrap rail" aria-label={spec.progressLabel}>
      <ol>
        {spec.steps.map(({ stage, label, state, status, tookMs, since, mark: note }) => (
          <li key={stage} class={state} {...(state === "now" ? { "aria-current": "step" as const } : {})}>
            <span class="yao" aria-hidden="true">
              <i />
              <i>{stage === "negotiating" && state === "now" ? <Share of={spec} /> : null}</i>
            </span>
            <div>
              <span>
                {label}
                <span class="vh">{status}</span>
              </span>
              <time>
                {note ?? (tookMs !== undefined ? duration(tookMs) : since !== undefined ? duration(now - since) : "")}
              </time>
            </div>
          </li>
        ))}
      </ol>
      <div class="small s" aria-hidden="true">
        <b>{spec.progress}</b>
        <time>{running}</time>
      </div>
    </nav>
  );
}

/** Draws how many of the offers have come in, on the second half of the present line. */
function Share({ of: { sections } }: { of: UiSpec }): JSX.Element | null {
  const agents = sections.find((section) => section.kind === "agents");
  if (agents === undefined || agents.agents.length === 0) return null;
  const settled = agents.agents.filter(({ state }) => state !== "waiting").length;
  return (
    <svg width={`${Math.round((settled / agents.agents.length) * 100)}%`} height="4" aria-hidden="true">
      <rect width="100%" height="4" fill="currentColor" />
    </svg>
  );
}

type Note = UiSpec["notes"][number];

const drawNote = ({ text, tone }: Note): JSX.Element => (
  <p key={text} class={`note ${tone}`}>
    {text}
  </p>
);

/**
 * Returns where warnings stand. Warnings about what the person reads stand in the head. Warnings about a text to decide on
 * stand below it, because there they cover and move none of it. Warnings about fields stand among the notes, because a
 * form can be sent at any scroll position.
 */
const placeOfWarnings = ({ stage }: UiSpec): "head" | "below" | "notes" => {
  if (stage === "decision") return "below";
  return stage === "negotiating" || stage === "done" ? "head" : "notes";
};

/** Draws the warnings that stand in the head or below a text. A broadcast waits until those below it were seen. */
export function Warned({ spec, place = "below" }: { spec: UiSpec; place?: "head" | "below" }): JSX.Element {
  const warnings = spec.notes.filter(({ tone }) => tone === "warning" && place === placeOfWarnings(spec));
  return (
    <div class="warned" aria-live="polite">
      {warnings.map(drawNote)}
      {place === "head" || warnings.length === 0 ? null : <End id={warnings.map(({ text }) => text).join("\n")} />}
    </div>
  );
}

/** Draws the stage's heading and lead, with its alert and the warnings about what the person reads. */
export const StageHeading = ({ spec, children }: { spec: UiSpec; children?: JSX.Element | null }): JSX.Element => (
  <>
    <div class={`head ${children ? "row" : ""} ${spec.stage === "decision" ? "still" : ""}`}>
      <div>
        <h1>{spec.heading}</h1>
        <p>
          <span aria-live="polite">{spec.lead}</span>
          {spec.alert === undefined ? null : <strong class={spec.alert.tone}>{spec.alert.text}</strong>}
        </p>
      </div>
      {children}
    </div>
    <Warned spec={spec} place="head" />
  </>
);

/**
 * Draws the answer to the last press, what went wrong, and warnings about fields. The notes lie at the end of the window
 * above the bar, so that they are seen at any scroll position and move no button. The page grows by their height, so that
 * they hide nothing.
 */
export function Notes({ spec }: { spec: UiSpec }): JSX.Element {
  const { isOffline, offline, isGone, gone, late } = current();
  const hasWarnings = placeOfWarnings(spec) === "notes";
  return (
    <div class="notes wrap" role="status">
      {late === undefined ? null : drawNote({ text: late, tone: "warning" })}
      {spec.notes.filter(({ tone }) => hasWarnings || tone !== "warning").map(drawNote)}
      {isGone || isOffline ? drawNote({ text: isGone ? gone : offline, tone: "error" }) : null}
    </div>
  );
}
