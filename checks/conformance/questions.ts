// The suite's tools that ask in rounds: each round is a call of its own, and state travels through the client, signed.
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { ask, type Fixture, type FixtureContext, text } from "./fixture.ts";

const answerTo = (key: string, { ctx }: FixtureContext) => inputResponse(ctx.mcpReq.inputResponses, key);

/** What the person typed into a field; undefined where there is no usable answer, and then the form comes again. */
function typed(key: string, field: string, context: FixtureContext): string | undefined {
  const answer = answerTo(key, context);
  const value = answer.kind === "elicit" && answer.action === "accept" ? answer.content?.[field] : undefined;
  return value === undefined ? undefined : String(value);
}

const capital = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
});
const greeting = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "Generate a greeting" } }],
  maxTokens: 50,
});
const roots = { method: "roots/list", params: {} } as ReturnType<typeof inputRequired.listRoots>;
const whatName = () => ask("What is your name?", "name");

async function withState(context: FixtureContext) {
  const answer = answerTo("confirm", context);
  if (answer.kind === "elicit" && context.state()?.round === 1) return text("state-ok");
  return inputRequired({
    inputRequests: { confirm: ask("Please confirm", "ok", "boolean") },
    requestState: await context.mint({ round: 1 }),
  });
}

export const QUESTIONS: Record<string, Fixture> = {
  test_input_required_result_elicitation: {
    description: "Asks for a name",
    call(context) {
      const name = typed("user_name", "name", context);
      return name === undefined ? inputRequired({ inputRequests: { user_name: whatName() } }) : text(`Hello, ${name}!`);
    },
  },
  test_streaming_elicitation: {
    description: "Asks for a name",
    call: () => inputRequired({ inputRequests: { user_name: whatName() } }),
  },
  test_input_required_result_sampling: {
    description: "Asks the client's model",
    call(context) {
      const answer = answerTo("capital_question", context);
      if (answer.kind === "sampling") return text(JSON.stringify(answer.result.content));
      return inputRequired({ inputRequests: { capital_question: capital } });
    },
  },
  test_input_required_result_list_roots: {
    description: "Asks for the roots",
    call(context) {
      const answer = answerTo("client_roots", context);
      if (answer.kind === "roots") return text(`Roots: ${JSON.stringify(answer.roots)}`);
      return inputRequired({ inputRequests: { client_roots: roots } });
    },
  },
  test_input_required_result_request_state: { description: "Asks, and keeps state", call: withState },
  test_input_required_result_tampered_state: { description: "Asks, and keeps state", call: withState },
  test_input_required_result_multiple_inputs: {
    description: "Asks three questions at once",
    async call(context) {
      const name = typed("user_name", "name", context);
      const isComplete = answerTo("greeting", context).kind === "sampling";
      if (name !== undefined && isComplete && answerTo("client_roots", context).kind === "roots")
        return text(`All answered by ${name}.`);
      return inputRequired({
        inputRequests: { user_name: whatName(), greeting, client_roots: roots },
        requestState: await context.mint({ asked: 3 }),
      });
    },
  },
  test_input_required_result_multi_round: {
    description: "Asks twice",
    async call(context) {
      const name = typed("step1", "name", context) ?? context.state()?.name;
      const color = typed("step2", "color", context);
      if (color !== undefined && name !== undefined) return text(`${name} likes ${color}.`);
      const [key, question] =
        name === undefined
          ? ["step1", ask("Step 1: What is your name?", "name")]
          : ["step2", ask("Step 2: What is your favorite color?", "color")];
      return inputRequired({ inputRequests: { [key]: question }, requestState: await context.mint({ key, name }) });
    },
  },
  test_input_required_result_capabilities: {
    description: "Asks only what the client can answer",
    call({ capabilities }) {
      const inputRequests = {
        ...(capabilities?.elicitation && { user_name: whatName() }),
        ...(capabilities?.sampling && { capital_question: capital }),
      };
      return Object.keys(inputRequests).length === 0 ? text("Nothing to ask.") : inputRequired({ inputRequests });
    },
  },
};

/** The same in a prompt. */
export function questionPrompt(context: FixtureContext) {
  const given = typed("user_context", "context", context);
  if (given === undefined)
    return inputRequired({
      inputRequests: { user_context: ask("What context should the prompt use?", "context") },
    });
  return { messages: [{ role: "user", content: { type: "text", text: `Use this context: ${given}` } }] };
}
