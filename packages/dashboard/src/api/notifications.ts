/* What the person is told without asking: the settings, previews of rules, and tests of channels. */
import {
  type Channel,
  type NotificationsChange,
  NotificationsResponseSchema,
  PreviewResponseSchema,
  type RuleRequest,
} from "@restwell/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { z } from "zod"
import { send } from "./send.ts"

const PATH = "/api/account/notifications"
const KEY = ["notifications"]

export const useNotifications = () =>
  useQuery({ queryKey: KEY, queryFn: () => send(PATH, NotificationsResponseSchema) })

/** Stores the parts that are given. */
export function useSaveNotifications() {
  const queries = useQueryClient()
  return useMutation({
    // One after the other, so that no change of a rule undoes another one.
    scope: { id: PATH },
    mutationFn: (body: NotificationsChange) => send(PATH, NotificationsResponseSchema, { method: "PUT", body }),
    onSuccess: (stored) => queries.setQueryData(KEY, stored),
  })
}

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
