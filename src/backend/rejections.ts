import type { TowowError } from "../errors.ts";
import {
  AlreadyCompleted,
  AlreadyRegistered,
  EngineNotWaiting,
  NotFormulated,
  UnknownAction,
  UnknownNegotiation,
  UnknownScene,
} from "./errors.ts";
import type { ReadRejection } from "./operation.ts";

/**
 * What each route means by its 400, 404 and 409, read from `detail` as the real engine words it. `undefined`: not one
 * of its own rejections, `answer.ts` goes by the status alone.
 */

/** The framework's own 404 says "Not Found" and nothing else: the route is missing, not the thing. */
const isMissingThing = (status: number, detail: string): boolean =>
  status === 404 && detail !== "" && detail.toLowerCase() !== "not found";

export const sceneRejections =
  (operation: string, scene_id: string): ReadRejection =>
  (status, detail) =>
    isMissingThing(status, detail) ? new UnknownScene({ operation, scene_id }, { detail }) : undefined;

export const negotiationRejections =
  (operation: string, negotiation_id: string): ReadRejection =>
  (status, detail) =>
    isMissingThing(status, detail) ? new UnknownNegotiation({ operation, negotiation_id }, { detail }) : undefined;

export const registrationRejections =
  (operation: string, scene_id: string, agent_id: string): ReadRejection =>
  (status, detail) =>
    status === 409 && /already/i.test(detail)
      ? new AlreadyRegistered({ operation, scene_id, agent_id }, { detail })
      : sceneRejections(operation, scene_id)(status, detail);

export const confirmRejections =
  (operation: string, negotiation_id: string): ReadRejection =>
  (status, detail): TowowError | undefined => {
    const params = { operation, negotiation_id };
    const state = /in state (\w+)/i.exec(detail)?.[1]?.toLowerCase();
    if (status === 409 && state !== undefined) return new NotFormulated({ ...params, state }, { detail });
    if (status === 409 && /not waiting/i.test(detail)) return new EngineNotWaiting(params, { detail });
    return negotiationRejections(operation, negotiation_id)(status, detail);
  };

export const actionRejections =
  (operation: string, negotiation_id: string, action: string): ReadRejection =>
  (status, detail): TowowError | undefined => {
    const params = { operation, negotiation_id };
    if (status === 400 && /unknown action/i.test(detail)) return new UnknownAction({ ...params, action }, { detail });
    if (status === 409 && /already completed/i.test(detail)) return new AlreadyCompleted(params, { detail });
    return negotiationRejections(operation, negotiation_id)(status, detail);
  };
