/* What the person is told without asking: the settings, previews of rules, and tests of channels. */
import {
  type Channel,
  type NotificationsChange,
  type NotificationsResponse,
  NotificationsResponseSchema,
  PreviewResponseSchema,
  type Rule,
  type RuleRequest,
} from "@restwell/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { z } from "zod"
import { send } from "./send.ts"

const PATH = "/api/account/notifications"
const KEY = ["notifications"]

const read = () => send(PATH, NotificationsResponseSchema)

const save = (body: NotificationsChange) => send(PATH, NotificationsResponseSchema, { method: "PUT", body })

export const useNotifications = () => useQuery({ queryKey: KEY, queryFn: read })

/** Changes settings one after the other. */
function useChangeInTurn<Input>(mutationFn: (input: Input) => Promise<NotificationsResponse>) {
  const queries = useQueryClient()
  return useMutation({ scope: { id: PATH }, mutationFn, onSuccess: (stored) => queries.setQueryData(KEY, stored) })
}

/** Stores the parts that are given. */
export const useSaveNotifications = () => useChangeInTurn(save)

/** Changes the rules that are stored by then: a list that was drawn before would undo other changes, those of another tab too. */
export const useChangeRules = () =>
  useChangeInTurn(async (change: (stored: readonly Rule[]) => RuleRequest[]) =>
    save({ rules: change((await read()).rules) }),
  )

/** The mornings of the last 90 days on which a rule would have sent something. */
export const usePreview = (rule: RuleRequest | undefined) =>
  useQuery({
    queryKey: ["preview", rule],
    queryFn: () => send(`${PATH}/preview`, PreviewResponseSchema, { method: "POST", body: { rule } }),
    enabled: rule !== undefined,
  })

/** Sends a test. Fails with the receiver's answer in words. Lists that name the last fault have it in any case. */
export function useTestChannel() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (channel: Channel) => send(`${PATH}/test`, z.unknown(), { method: "POST", body: { channel } }),
    onSettled: () => queries.invalidateQueries(),
  })
}
