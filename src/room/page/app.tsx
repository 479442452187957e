import type { JSX } from "preact";
import type { UiSpec } from "../ui-spec-schema.ts";
import { Agent } from "./agent.tsx";
import { Bar, Decide } from "./decide.tsx";
import { Done } from "./done.tsx";
import { Demand, Items, Profile, Scenes, StageBar } from "./forms.tsx";
import { Notes, Rail, StageHeading, TopBar, Warned } from "./frame.tsx";
import { Meter, Negotiate } from "./negotiate.tsx";
import { PlanActions } from "./prose.tsx";
import { isPlan, sectionOf } from "./sections.ts";
import { current } from "./store.ts";

/** Draws exactly what the spec holds, both on the server and in the browser. */
export function App(): JSX.Element {
  const { spec } = current();
  const history = sectionOf(spec, "list", "history");
  const agents = sectionOf(spec, "agents");
  return (
    <>
      <TopBar spec={spec} />
      {spec.steps.length > 0 ? <Rail spec={spec} /> : null}
      <main>
        <div class="wrap">
          <StageHeading spec={spec}>
            {history !== undefined ? null : spec.stage === "negotiating" && agents !== undefined ? (
              <Meter agents={agents} />
            ) : isPlan(spec) ? (
              <PlanActions spec={spec} />
            ) : null}
          </StageHeading>
        </div>
        <div class="under-head">
          <div class="wrap">
            {history === undefined ? <Stage spec={spec} /> : <Items list={history} />}
            <Warned spec={spec} />
          </div>
          <Notes spec={spec} />
          {history === undefined && (spec.stage === "profile" || spec.stage === "demand") ? (
            <StageBar spec={spec} />
          ) : (
            <Bar spec={spec} />
          )}
        </div>
      </main>
    </>
  );
}

function Stage({ spec }: { spec: UiSpec }): JSX.Element {
  switch (spec.stage) {
    case "decision":
      return <Decide spec={spec} />;
    case "negotiating":
      return <Negotiate spec={spec} />;
    case "done":
      return <Done spec={spec} />;
    default:
      return (
        <>
          {spec.stage === "profile" ? (
            <Profile spec={spec} />
          ) : spec.stage === "demand" ? (
            <Demand spec={spec} />
          ) : (
            <Scenes spec={spec} />
          )}
          {spec.stage === "profile" ? null : <Agent spec={spec} />}
        </>
      );
  }
}
