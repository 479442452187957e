import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";

/** Reads no body further than this. @throws HTTPException 413 for one that is larger, 400 for one that breaks off */
export function formLimit(maxSize: number): MiddlewareHandler {
  const limit = bodyLimit({ maxSize });
  return async (c, next) => {
    await orMalformed(() => limit(c, async () => {}));
    await next();
  };
}

/** The form that was sent. @throws HTTPException 400 for what is none: anybody may send anything */
export const formOf = (c: Context): Promise<Record<string, unknown>> => orMalformed(() => c.req.parseBody());

async function orMalformed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof HTTPException ? error : new HTTPException(400, { message: "malformed form", cause: error });
  }
}
