import type { Route } from "../plumbing/route.ts"
import type { SessionHandler } from "../plumbing/session.ts"
import {
  createResetLinkHandler,
  inviteHandler,
  listPeopleHandler,
  type PeopleServices,
  removePersonHandler,
  renewInvitationHandler,
  revokeInvitationHandler,
  setPlanHandler,
} from "./people-handlers.ts"
import { withOwner } from "./with-owner.ts"

/** The people of this installation, for its owner. */
export function peopleRoutes(services: PeopleServices): Route[] {
  const { context, accounts } = services
  const owner = (handle: SessionHandler) => withOwner(context, accounts, handle)
  return [
    { method: "GET", path: "/api/service/people", handle: owner(listPeopleHandler(services)) },
    { method: "PUT", path: "/api/service/people/:id", handle: owner(setPlanHandler(services)) },
    { method: "DELETE", path: "/api/service/people/:id", handle: owner(removePersonHandler(services)) },
    { method: "POST", path: "/api/service/people/:id/reset-link", handle: owner(createResetLinkHandler(services)) },
    { method: "POST", path: "/api/service/invitations", handle: owner(inviteHandler(services)) },
    { method: "POST", path: "/api/service/invitations/:id/link", handle: owner(renewInvitationHandler(services)) },
    { method: "DELETE", path: "/api/service/invitations/:id", handle: owner(revokeInvitationHandler(services)) },
  ]
}
