import { textsOf } from "../../text/index.ts";
import type { ApprovalPages, PageRequest } from "../questions.ts";
import type { OpenRoom, PageOwner, RoomOfPage } from "./open-page.ts";
import type { ApprovalSite } from "./site.ts";

export interface ApprovalPagesDeps {
  site: ApprovalSite;
  owner: PageOwner;
  openRoom: OpenRoom;
}

/** One user's pages (agent layer §3). */
export function createApprovalPages({ site, owner, openRoom }: ApprovalPagesDeps): ApprovalPages {
  return {
    open: (request) =>
      site.addressesOf(`${owner.id}:${aboutOf(request)}`, {
        kind: "formulation",
        owner,
        texts: textsOf(request.lang),
        negotiationId: request.negotiationId,
        room: atFirstVisit(() => openRoom(request)),
      }),
    openSend: (request) =>
      site.addressesOf(`${owner.id}:${request.id}`, {
        kind: "send",
        owner,
        request,
        texts: textsOf(request.lang),
      }),
  };
}

/** One page for the network's text, one with its editor open, and one for each that the person's AI would send instead. */
const aboutOf = ({ negotiationId, candidate, toChange }: PageRequest) =>
  JSON.stringify([negotiationId, candidate, toChange]);

/** A room that is made when somebody comes. */
function atFirstVisit(open: () => Promise<RoomOfPage>): RoomOfPage {
  let room: Promise<RoomOfPage> | undefined;
  return {
    async serve(...visit) {
      // One that could not be opened is tried again by the next visit.
      room ??= open().catch((error) => {
        room = undefined;
        throw error;
      });
      return (await room).serve(...visit);
    },
    close: () =>
      void room?.then(
        (opened) => opened.close(),
        () => {},
      ),
  };
}
