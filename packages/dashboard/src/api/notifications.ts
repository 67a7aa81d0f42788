/* What the person is told without asking: the settings, and tests of channels. */
import { type Channel, NotificationsResponseSchema } from "@restwell/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { z } from "zod"
import { send } from "./send.ts"

const PATH = "/api/account/notifications"
const KEY = ["notifications"]

export const useNotifications = () =>
  useQuery({ queryKey: KEY, queryFn: () => send(PATH, NotificationsResponseSchema) })

/** Sends a test. Fails with the receiver's answer in words. Lists that name the last fault have it in any case. */
export function useTestChannel() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (channel: Channel) => send(`${PATH}/test`, z.unknown(), { method: "POST", body: { channel } }),
    onSettled: () => queries.invalidateQueries(),
  })
}
