import type { Subscriptions } from "./subscriptions.ts";

interface Listen {
  method: "subscriptions/listen";
  params?: { notifications?: { resourceSubscriptions?: unknown } };
}

/** A message, narrowed to what its sender may see, and what ends with its stream. */
export interface Listening {
  message: object;
  end: () => void;
}

export const isListen = (message: object | undefined): message is object =>
  (message as { method?: unknown } | undefined)?.method === "subscriptions/listen";

/**
 * A 2026-era listen request names the addresses that it wants news of. Each is followed after a read with the user's
 * own right; what that read refuses is left out, and the acknowledgement says so by leaving it out as well.
 */
export async function beginListening(message: object, subscriptions: Subscriptions): Promise<Listening> {
  const { params } = message as Listen;
  const wanted = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(wanted)) return { message, end: () => {} };
  const uris = [...new Set(wanted.filter((uri) => typeof uri === "string"))];
  const leaving = await Promise.all(uris.map((uri) => subscriptions.add(uri)));
  const followed = uris.filter((_, i) => leaving[i] !== undefined);
  const notifications = { ...params?.notifications, resourceSubscriptions: followed };
  return {
    message: { ...message, params: { ...params, notifications } },
    end: () => {
      for (const leave of leaving) leave?.();
    },
  };
}
