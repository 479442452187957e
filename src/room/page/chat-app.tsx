import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { mark } from "../../style/mark.ts";
import { chatTexts } from "../../text/chat-page.ts";
import type { ActionSpec, Section, UiSpec } from "../ui-spec-schema.ts";
import { Button, Form } from "./controls.tsx";
import { Bar, Parts, Ring, Sheet, Waiting } from "./decide.tsx";
import { End } from "./end.tsx";
import { Facts } from "./facts.tsx";
import { Fold, FoldedQuote } from "./fold.tsx";
import { Notes, StageHeading, Warned } from "./frame.tsx";
import { CLASSES } from "./map.tsx";
import { AgentList, Offer } from "./negotiate.tsx";
import { Passages } from "./passages.tsx";
import { Blocks } from "./prose.tsx";
import { Review } from "./review.tsx";
import { isPlan, SHEET_FORM, sectionOf } from "./sections.ts";
import { current } from "./store.ts";

/** The ways that lead out of the frame. Each is undefined if the host does not offer it. */
export interface WaysOut {
  /** Opens the question's page in a browser. */
  toPage: (() => void) | undefined;
  /** Gives this page the whole window. */
  toFullScreen: (() => void) | undefined;
}

/** Draws the page in the chat, which is the same screen with less around it. */
export function ChatApp({ ways: { value: ways } }: { ways: ReadonlySignal<WaysOut> }): JSX.Element {
  const { spec } = current();
  const bar = sectionOf(spec, "bar");
  return (
    <main class="app">
      <header class={bar?.urgency ?? ""}>
        <Sign whole={spec.steps.filter(({ state }) => state === "done").length} />
        <StageHeading spec={spec} />
        <Ways ways={ways} spec={spec} />
        {bar === undefined ? null : <Ring bar={bar} />}
      </header>
      <Stage spec={spec} ways={ways} />
      <Notes spec={spec} />
    </main>
  );
}

const Sign = ({ whole }: { whole: number }): JSX.Element => (
  <span class="sign" aria-hidden="true" dangerouslySetInnerHTML={{ __html: mark(whole) }} />
);

/** Draws what the page says while it shows no question. */
export const Plain = ({
  said,
  children,
}: {
  said: { title: string; lead: string };
  children?: ComponentChildren;
}): JSX.Element => (
  <main class="app plain">
    <header>
      <Sign whole={0} />
      <div class="head">
        <h1>{said.title}</h1>
        <p role="status">{said.lead}</p>
      </div>
      {children}
    </header>
  </main>
);

function Ways({ ways: { toPage, toFullScreen }, spec }: { ways: WaysOut; spec: UiSpec }): JSX.Element {
  const say = chatTexts(spec.lang);
  return (
    <>
      {toFullScreen === undefined ? null : <Way icon="whole" label={say.fullScreen} onClick={toFullScreen} />}
      {toPage === undefined || (spec.stage === "done" && spec.steps.length === 0) ? null : (
        <Way icon="out" label={sectionOf(spec, "bar") === undefined ? say.toRoom : say.toPage} onClick={toPage} />
      )}
    </>
  );
}

const PATHS = {
  out: "M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5",
  whole: "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-4.5 4.5M2.5 13.5l4.5-4.5",
};
type IconName = keyof typeof PATHS;

const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

const Way = ({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }): JSX.Element => (
  <button type="button" class="b t" onClick={onClick} aria-label={label} title={label}>
    <Icon name={icon} />
  </button>
);

/** Draws a button that leads to the page in a browser. */
export const ToPage = ({ label, onClick }: { label: string; onClick: () => void }): JSX.Element => (
  <button type="button" class="b go big" onClick={onClick}>
    <Icon name="out" /> {label}
  </button>
);

function Stage({ spec, ways }: { spec: UiSpec; ways: WaysOut }): JSX.Element {
  if (spec.stage === "decision") return <Decide spec={spec} ways={ways} />;
  if (spec.stage === "profile") return <Asked spec={spec} ways={ways} />;
  if (spec.stage === "negotiating") return <Progress spec={spec} ways={ways} />;
  return isPlan(spec) ? <Plan spec={spec} ways={ways} /> : <Over spec={spec} />;
}

function Decide({ spec, ways }: { spec: UiSpec; ways: WaysOut }): JSX.Element {
  const quote = sectionOf(spec, "quote", "quote");
  const sheet = sectionOf(spec, "sheet");
  return (
    <>
      {sheet === undefined ? <Waiting /> : <FoldedSheet sheet={sheet} />}
      {quote === undefined || quote.passages.length === 0 ? null : (
        <div class="folds">
          <FoldedQuote quote={quote} />
        </div>
      )}
      <Answers spec={spec} ways={ways} />
    </>
  );
}

/** Draws the question whether something may be sent or stopped: what this is about, what a yes leads to, and the answers. */
function Asked({ spec, ways }: { spec: UiSpec; ways: WaysOut }): JSX.Element | null {
  const asked = sectionOf(spec, "asked");
  if (asked === undefined) return null;
  const { heading, text, rows, parts, follows } = asked;
  return (
    <>
      <section class="sheet" aria-label={heading}>
        {text.length === 0 ? null : (
          <div class="text">
            <Passages passages={text} />
          </div>
        )}
        <dl class="asked">
          {rows.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Passages passages={value} />
              </dd>
            </div>
          ))}
        </dl>
        {parts.length === 0 ? null : <Parts sheet={{}} parts={parts} />}
        <End id="sheet" />
      </section>
      {follows === undefined ? null : (
        <div class="next s">
          <b>{follows.heading}</b>
          {follows.what.map(({ text, isGrave }) => (
            <p key={text} class={isGrave ? "grave" : ""}>
              {text}
            </p>
          ))}
          {follows.note === undefined ? null : <p class="mu">{follows.note}</p>}
          <End id="follows" />
        </div>
      )}
      <Answers spec={spec} ways={ways} />
    </>
  );
}

/** Draws the answers, and the form to which the buttons in the sheet belong. */
const Answers = ({ spec, ways }: { spec: UiSpec; ways: WaysOut }): JSX.Element => (
  <>
    <Warned spec={spec} />
    <Elsewhere actions={sectionOf(spec, "bar")?.actions ?? []} spec={spec} ways={ways} />
    <Bar spec={spec} />
    <Form id={SHEET_FORM}>
      <span class="vh" />
    </Form>
  </>
);

/** Draws the sheet, with its additions marked in the text and listed in a fold below. */
function FoldedSheet({ sheet }: { sheet: Section<"sheet"> }): JSX.Element {
  const { additions: heading } = chatTexts(current().spec.lang);
  const of = (wanted: "addition" | "personal") => sheet.parts.filter(({ kind }) => kind === wanted);
  const isFolded = sheet.editor === undefined && of("addition").length > 0;
  return (
    <Sheet sheet={sheet} parts={of("personal")}>
      {isFolded ? (
        <div class="folds">
          <Fold section={{ heading }}>
            <Parts sheet={sheet} parts={of("addition")} />
          </Fold>
        </div>
      ) : null}
    </Sheet>
  );
}

/** Says why a click in the chat does not count, with a button to the page on which it does. */
function Elsewhere({
  actions,
  spec,
  ways: { toPage },
}: {
  actions: readonly ActionSpec[];
  spec: UiSpec;
  ways: WaysOut;
}) {
  const why = actions.find((action) => action.why !== undefined)?.why;
  if (why === undefined) return null;
  return (
    <div class="why row">
      <p class="s">{why}</p>
      {toPage === undefined ? null : <ToPage label={chatTexts(spec.lang).decideOnPage} onClick={toPage} />}
    </div>
  );
}

/** Draws a sentence and its buttons below everything else. */
const Below = ({ text, children }: { text: string; children: ComponentChildren }): JSX.Element => (
  <div class="act">
    <div class="wrap">
      <p class="xs mu">{text}</p>
      <div class="btns row">{children}</div>
    </div>
  </div>
);

function Progress({ spec, ways }: { spec: UiSpec; ways: WaysOut }): JSX.Element {
  const agents = sectionOf(spec, "agents");
  const offer = sectionOf(spec, "offer");
  return (
    <>
      {agents === undefined ? null : <Agents agents={agents} />}
      {offer === undefined ? null : <Offer offer={offer} />}
      <Sent spec={spec} />
      <Elsewhere actions={agents?.actions ?? []} spec={spec} ways={ways} />
      <Below text={chatTexts(spec.lang).goesOn}>
        {agents === undefined ? null : (
          <Form class="row">
            {agents.actions.map((action) => (
              <Button key={action.id} action={action} size="big" isHeld={current().isNewStage} />
            ))}
          </Form>
        )}
      </Below>
    </>
  );
}

const Agents = ({ agents }: { agents: Section<"agents"> }): JSX.Element => (
  <section class="list" aria-label={agents.heading}>
    <div class="lines" aria-hidden="true">
      {agents.agents.map(({ id, state }) => (
        <i key={id} class={CLASSES[state]} />
      ))}
    </div>
    {agents.count === undefined ? null : <p class="s mu">{agents.count}</p>}
    {agents.note === undefined ? null : <p class="s mu">{agents.note}</p>}
    <AgentList agents={agents} />
  </section>
);

/** Draws the text that went out, folded. */
function Sent({ spec }: { spec: UiSpec }): JSX.Element | null {
  const sent = sectionOf(spec, "quote", "sent");
  if (sent === undefined) return null;
  return (
    <div class="folds">
      <FoldedQuote quote={sent} />
    </div>
  );
}

/** Draws the plan in short: who does what, what to settle first, and the first step. */
function Plan({ spec, ways: { toPage } }: { spec: UiSpec; ways: WaysOut }): JSX.Element {
  const say = chatTexts(spec.lang);
  const team = sectionOf(spec, "people", "team");
  const course = sectionOf(spec, "course");
  const prose = sectionOf(spec, "prose");
  const review = sectionOf(spec, "review");
  const [week] = course?.weeks ?? [];
  return (
    <>
      {team === undefined ? null : <Team team={team} />}
      {course === undefined ? null : (
        <div class="next s">
          {course.open === undefined || course.open.items.length === 0 ? null : (
            <p>
              <b>{course.open.label}</b>
              {say.colon}
              {course.open.items.map(({ label }) => label).join("; ")}
            </p>
          )}
          {week === undefined ? null : (
            <p>
              <b>{week.title}</b>
              {say.colon}
              {week.text} {week.mine === undefined ? null : <span class="mu">· {week.mine}</span>}
            </p>
          )}
        </div>
      )}
      {team === undefined && prose !== undefined ? (
        <div class="prose next">
          <Blocks blocks={prose.blocks} />
        </div>
      ) : null}
      {review === undefined ? null : <Review review={review} />}
      {toPage === undefined ? null : (
        <Below text={say.restOnPage}>
          <ToPage label={say.toPlan} onClick={toPage} />
        </Below>
      )}
    </>
  );
}

const Team = ({ team }: { team: Section<"people"> }): JSX.Element => (
  <ul class="team s">
    {team.people.map(({ id, name, initials, isMe, mark: note, does }) => (
      <li key={id}>
        <span class={isMe ? "av me" : "av"} aria-hidden="true">
          {initials}
        </span>
        <div>
          <h2>
            {name}
            {note === undefined ? null : <span class="mu"> {note}</span>}
          </h2>
          {does.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      </li>
    ))}
    {team.gaps.map(({ label, need }) => (
      <li key={need} class="gap">
        <span class="av" aria-hidden="true">
          ?
        </span>
        <div>
          <h2>{label}</h2>
          <p>{need}</p>
        </div>
      </li>
    ))}
  </ul>
);

/** Says what happened, for every end without a plan. */
function Over({ spec }: { spec: UiSpec }): JSX.Element {
  const happened = sectionOf(spec, "facts");
  const review = sectionOf(spec, "review");
  return (
    <>
      {happened === undefined || happened.facts.length === 0 ? null : (
        <div class="next">
          <Facts facts={happened.facts} />
        </div>
      )}
      {review === undefined ? null : <Review review={review} />}
      <Sent spec={spec} />
    </>
  );
}
