import { LinkResponseSchema, PeopleResponseSchema, type Person, SetPlanRequestSchema } from "@restwell/client"
import { useQuery } from "@tanstack/react-query"
import { NO_BODY, send } from "./send.ts"
import { useChange } from "./use-change.ts"

/** E-mails are sent within seconds, and the page displays the ones that failed. */
const POLL_MS = 15_000

/** The people of this installation, for its owner. @param search a part of a name or an address */
export const usePeople = (search: string) =>
  useQuery({
    queryKey: ["people", search],
    queryFn: () =>
      send(`/api/service/people${search === "" ? "" : `?${new URLSearchParams({ search })}`}`, PeopleResponseSchema),
    refetchInterval: POLL_MS,
    placeholderData: (previous) => previous,
  })

export const useSetPlan = (id: string) =>
  useChange((plan: Person["plan"]) =>
    send(`/api/service/people/${id}`, SetPlanRequestSchema, { method: "PUT", body: { plan } }),
  )

export const useRemovePerson = (id: string) =>
  useChange((email: string) => send(`/api/service/people/${id}`, NO_BODY, { method: "DELETE", body: { email } }))

/** A new link must not stay in the mutation cache, hence a gcTime of 0. */
const FORGET = 0

export const useResetLinkOf = (id: string) =>
  useChange(
    (removesTwoFactor: boolean) =>
      send(`/api/service/people/${id}/reset-link`, LinkResponseSchema, {
        method: "POST",
        body: { remove_two_factor: removesTwoFactor },
      }),
    FORGET,
  )

export const useInvite = () =>
  useChange(
    (body: { email?: string; plan: Person["plan"]; send: boolean }) =>
      send("/api/service/invitations", LinkResponseSchema, { method: "POST", body }),
    FORGET,
  )

export const useRenewInvitation = (id: string) =>
  useChange(
    (isSent: boolean) =>
      send(`/api/service/invitations/${id}/link`, LinkResponseSchema, { method: "POST", body: { send: isSent } }),
    FORGET,
  )

export const useRevokeInvitation = (id: string) =>
  useChange(() => send(`/api/service/invitations/${id}`, NO_BODY, { method: "DELETE" }))
