// The prompts and resources that the conformance suite asks for by name.
import { type FixtureContext, PNG } from "./fixture.ts";
import { questionPrompt } from "./questions.ts";

const user = (content: object) => ({ role: "user", content });
const said = (text: string) => user({ type: "text", text });

interface FixturePrompt {
  description: string;
  arguments?: string[];
  get: (context: FixtureContext) => object;
}

export const PROMPTS: Record<string, FixturePrompt> = {
  test_simple_prompt: {
    description: "A text",
    get: () => ({ messages: [said("This is a simple prompt for testing.")] }),
  },
  test_prompt_with_arguments: {
    description: "A text with two arguments",
    arguments: ["arg1", "arg2"],
    get: ({ args }) => ({ messages: [said(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)] }),
  },
  test_prompt_with_embedded_resource: {
    description: "A resource",
    arguments: ["resourceUri"],
    get: ({ args }) => {
      const resource = {
        uri: args.resourceUri,
        mimeType: "text/plain",
        text: "Embedded resource content for testing.",
      };
      return { messages: [user({ type: "resource", resource }), said("Please process the embedded resource above.")] };
    },
  },
  test_prompt_with_image: {
    description: "An image",
    get: () => ({
      messages: [user({ type: "image", data: PNG, mimeType: "image/png" }), said("Please analyze the image above.")],
    }),
  },
  test_input_required_result_prompt: { description: "Asks first", get: questionPrompt },
};

export const RESOURCES = [
  { uri: "test://static-text", name: "static-text", description: "A text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", description: "An image", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "watched-resource", description: "A text", mimeType: "text/plain" },
];
export const TEMPLATE = {
  uriTemplate: "test://template/{id}/data",
  name: "template",
  description: "A text with an id in it",
  mimeType: "application/json",
};

/** One of the suite's resources; undefined for any other address. */
export function readResource(uri: string): object | undefined {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  const data = id && JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  if (data) return { contents: [{ uri, mimeType: "application/json", text: data }] };
  const known = RESOURCES.find((one) => one.uri === uri);
  if (known === undefined) return undefined;
  const { mimeType } = known;
  const content =
    mimeType === "image/png" ? { blob: PNG } : { text: "This is the content of the static text resource." };
  return { contents: [{ uri, mimeType, ...content }] };
}
