// The tools that the conformance suite calls by name: what each must answer is said by the suite.
import { delay, type Fixture, type FixtureContext, needs, PNG, text, WAV } from "./fixture.ts";

const image = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = {
  uri: "test://embedded-resource",
  mimeType: "text/plain",
  text: "This is an embedded resource content.",
};
const mixed = {
  uri: "test://mixed-content-resource",
  mimeType: "application/json",
  text: '{"test":"data","value":123}',
};

const textField = (description: string) => ({ type: "string", description });
const withField = (name: string, description: string) => ({
  type: "object",
  properties: { [name]: textField(description) },
  required: [name],
});

/** Asks a form of a client of the 2025 era, and says what came back. */
async function elicit({ ctx }: FixtureContext, message: string, properties: object, required: string[], said: string) {
  const requestedSchema = { type: "object", properties, required };
  const { action, content } = await ctx.mcpReq.elicitInput({ mode: "form", message, requestedSchema } as never);
  return text(`${said}: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const options = (...names: string[]) => names.map((title, at) => ({ const: `value${at + 1}`, title }));

/** The endpoint sees the change in the file, which has to come to rest: one back and forth at once is none. */
const SEEN_AFTER_MS = 300;
let mode: "normal" | "developer" = "normal";

export const TOOLS: Record<string, Fixture> = {
  test_simple_text: {
    description: "A text",
    call: () => text("This is a simple text response for testing."),
  },
  test_image_content: { description: "An image", call: () => ({ content: [image] }) },
  test_audio_content: {
    description: "A sound",
    call: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    description: "A resource",
    call: () => ({ content: [{ type: "resource", resource: embedded }] }),
  },
  test_multiple_content_types: {
    description: "A text, an image and a resource",
    call: () => ({
      content: [{ type: "text", text: "Multiple content types test:" }, image, { type: "resource", resource: mixed }],
    }),
  },
  test_error_handling: {
    description: "An error",
    call: () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }),
  },
  test_tool_with_logging: {
    description: "Three log messages",
    async call({ ctx }) {
      await ctx.mcpReq.log("info", "Tool execution started");
      await delay(50);
      await ctx.mcpReq.log("info", "Tool processing data");
      await delay(50);
      await ctx.mcpReq.log("info", "Tool execution completed");
      return text("Logged three times.");
    },
  },
  test_logging_tool: {
    description: "A log message, for those who asked for them",
    async call({ ctx }) {
      await ctx.mcpReq.log("info", "Only for a request that names a level");
      return text("Logged.");
    },
  },
  test_tool_with_progress: {
    description: "Three steps of progress",
    async call({ ctx }) {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await ctx.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total: 100 },
          });
        await delay(50);
      }
      return text("Done.");
    },
  },
  test_sampling: {
    description: "Asks the client's model",
    inputSchema: withField("prompt", "What it is asked"),
    async call({ args, ctx }) {
      const content = { type: "text" as const, text: String(args.prompt) };
      const answer = await ctx.mcpReq.requestSampling({ messages: [{ role: "user", content }], maxTokens: 100 });
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  },
  test_elicitation: {
    description: "Asks the person",
    inputSchema: withField("message", "What they are asked"),
    call: (context) =>
      elicit(
        context,
        String(context.args.message),
        { username: textField("User's response"), email: textField("User's email address") },
        ["username", "email"],
        "User response",
      ),
  },
  test_elicitation_sep1034_defaults: {
    description: "A form with defaults",
    call: (context) =>
      elicit(
        context,
        "Please check these",
        {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        },
        [],
        "Elicitation completed",
      ),
  },
  test_elicitation_sep1330_enums: {
    description: "A form with every kind of choice",
    call: (context) =>
      elicit(
        context,
        "Please choose",
        {
          untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
          titledSingle: { type: "string", oneOf: options("First Option", "Second Option", "Third Option") },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
          titledMulti: { type: "array", items: { anyOf: options("First Choice", "Second Choice", "Third Choice") } },
        },
        [],
        "Elicitation completed",
      ),
  },
  test_reconnection: {
    description: "Closes the stream in the middle of the call",
    async call({ ctx }) {
      ctx.http?.closeSSE?.();
      await delay(200);
      return text("Reconnection test completed.");
    },
  },
  test_trigger_tool_change: {
    description: "Changes the list of tools, as a person does: by the mode",
    async call({ callTool }) {
      mode = mode === "normal" ? "developer" : "normal";
      const changed = await callTool("towow_set_mode", { mode });
      await delay(SEEN_AFTER_MS);
      return changed;
    },
  },
  test_missing_capability: {
    description: "Needs sampling",
    call({ capabilities }) {
      needs(capabilities, { sampling: {} });
      return text("The client has sampling.");
    },
  },
  test_x_mcp_header: {
    description: "Takes an argument that a header mirrors",
    inputSchema: {
      type: "object",
      properties: { region: { ...textField("Where the call goes"), "x-mcp-header": "Region" } },
    },
    call: ({ args }) => text(`Called for ${args.region}.`),
  },
  json_schema_2020_12_tool: {
    description: "Tool with JSON Schema 2020-12 features",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    call: () => text("Accepted."),
  },
};
