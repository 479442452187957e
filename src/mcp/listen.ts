import type { Subscriptions } from "./subscriptions.ts";

interface Listen {
  method: "subscriptions/listen";
  params?: { notifications?: { resourceSubscriptions?: unknown } };
}

/** A listen request, narrowed to the addresses that its sender may see, and the function that stops following them. */
export interface Listening {
  message: object;
  end: () => void;
}

export const isListen = (message: object | undefined): message is object =>
  (message as { method?: unknown } | undefined)?.method === "subscriptions/listen";

/**
 * Begins to follow the addresses that a listen request of the 2026 era names. An address is followed only if the user
 * can read it. Every other address is left out of the request, and so out of the acknowledgement.
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
