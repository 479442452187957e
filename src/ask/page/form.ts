import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";

/**
 * The form that was sent, of which no more than `maxBytes` is read. Nothing is read before this is called, so it is only
 * called for who may send a form. @throws HTTPException 413 for one that is larger, 400 for what is none: anybody may send
 * anything
 */
export async function formOf(c: Context, maxBytes: number): Promise<Record<string, unknown>> {
  try {
    await bodyLimit({ maxSize: maxBytes })(c, async () => {});
    return await c.req.parseBody();
  } catch (error) {
    throw error instanceof HTTPException ? error : new HTTPException(400, { message: "malformed form", cause: error });
  }
}
