/* Addresses that get a message about each night, day and workout. */
import {
  WebhookDeliveriesResponseSchema,
  type WebhookRequest,
  WebhookResponseSchema,
  WebhookSecretResponseSchema,
  WebhooksResponseSchema,
  WebhookTestResponseSchema,
} from "@restwell/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { NO_BODY, send, useChange } from "./send.ts"

const PATH = "/api/account/webhooks"
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

export const useWebhooks = () => useQuery({ queryKey: ["webhooks"], queryFn: () => send(PATH, WebhooksResponseSchema) })

/** Makes a webhook. Its secret is in the memory of this page and nowhere else. */
export const useCreateWebhook = () =>
  useChange(
    async (body: WebhookRequest) => (await send(PATH, WebhookResponseSchema, { method: "POST", body })).secret,
    0,
  )

export const useEndWebhook = () => useChange((id: string) => send(pathOf(id), NO_BODY, { method: "DELETE" }))

/** Sends a test, which is a delivery in any case. Fails with the receiver's answer in words. */
export function useTestWebhook(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => send(`${pathOf(id)}/test`, WebhookTestResponseSchema, { method: "POST" }),
    onSettled: () => queries.invalidateQueries(),
  })
}

/** Makes another secret, which is in the memory of this page and nowhere else. */
export const useRotateWebhookSecret = (id: string) =>
  useChange(async () => (await send(`${pathOf(id)}/secret`, WebhookSecretResponseSchema, { method: "POST" })).secret, 0)

const POLL_MS = 5_000

/** The newest deliveries, again while one waits for its next attempt. */
export const useDeliveries = (id: string) =>
  useQuery({
    queryKey: ["deliveries", id],
    queryFn: () => send(`${pathOf(id)}/deliveries`, WebhookDeliveriesResponseSchema),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === "waiting") ? POLL_MS : false,
  })

export const useRedeliver = (id: string) =>
  useChange((delivery: string) =>
    send(`${pathOf(id)}/deliveries/${encodeURIComponent(delivery)}/redeliver`, WebhookTestResponseSchema, {
      method: "POST",
    }),
  )
