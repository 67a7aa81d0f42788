// Webhooks of a person: to make, list, test and end them, their deliveries, and their secrets.
import {
  type WebhookDeliveriesResponse,
  WebhookDeliveriesResponseSchema,
  type WebhookDelivery,
  WebhookRequestSchema,
  WebhookResponseSchema,
  WebhookSecretResponseSchema,
  type WebhooksResponse,
  WebhooksResponseSchema,
  WebhookTestResponseSchema,
} from "@restwell/client"
import {
  createWebhook,
  endWebhook,
  InvalidRequest,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  type StoredDelivery,
  testWebhook,
} from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../../network/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { countRedelivery, countTest } from "../plumbing/count-test.ts"
import { defineEndpoints, type SessionCall } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"
import type { AccountServices } from "./account.ts"

const PATH = "/api/account/webhooks"
const id = z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" })
const WEBHOOK = z.object({ id })

const ownWebhook = ({ session: { userId }, request }: SessionCall) => ({
  userId,
  id: pathParameter(request, "id"),
  network: networkOf(request.ip),
})

const presentDelivery = (delivery: StoredDelivery): WebhookDelivery => ({
  id: delivery.id,
  type: delivery.type,
  data: delivery.data,
  created_at: delivery.created_at.toISOString(),
  status: delivery.status,
  attempts: delivery.attempts,
  next_attempt_at: delivery.status === "waiting" ? (delivery.due_at ?? delivery.created_at).toISOString() : null,
  last_attempt: delivery.last_attempt_at && {
    at: delivery.last_attempt_at.toISOString(),
    duration_ms: delivery.duration_ms ?? 0,
    status: delivery.answer_status,
    answer: delivery.answer ?? "",
  },
})

/** Where events are sent, by Standard Webhooks. */
export const webhookReceiverEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: PATH,
    access: "session",
    id: "listWebhooks",
    summary: "List webhooks",
    description: "Where events are sent, and which. Secrets are not among them.",
    responses: { "200": success("The webhooks", WebhooksResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      async (): Promise<WebhooksResponse> => ({
        webhooks: (await listWebhooks(context, userId)).map(
          ({ events, created_at, disabled_at, disabled_reason, ...webhook }) => ({
            ...webhook,
            events: [...(events ?? [])],
            created_at: created_at.toISOString(),
            disabled: disabled_at && { at: disabled_at.toISOString(), reason: disabled_reason ?? "" },
          }),
        ),
      }),
  },
  {
    method: "POST",
    path: PATH,
    access: "session",
    id: "createWebhook",
    summary: "Make a webhook",
    description:
      "Events are sent to its address from now on, signed by Standard Webhooks with the secret, which is in this response only. Addresses in " +
      "a home network are refused unless the owner of the installation allowed the host. At most 20.",
    requestBody: jsonBody(WebhookRequestSchema),
    responses: { "201": success("The webhook", WebhookResponseSchema) },
    failures: ["tooManyWebhooks"],
    handle: async ({ context, receivers }, { session: { userId }, reply, request }) => {
      const wanted = parseBody(request, WebhookRequestSchema)
      const problem = await receivers.findProblem(wanted.url)
      if (problem !== undefined) throw new InvalidRequest(`url: ${problem}`, "url")
      return reply.code(201).send(await createWebhook(context, { userId, network: networkOf(request.ip) }, wanted))
    },
  },
  {
    method: "DELETE",
    path: `${PATH}/:id`,
    access: "session",
    id: "endWebhook",
    summary: "End a webhook",
    description: "Nothing more is sent to it, and what waits for it is deleted.",
    params: WEBHOOK,
    responses: { "204": { description: "Ended" } },
    failures: ["noWebhook"],
    handle: async ({ context }, call) => {
      await endWebhook(context, ownWebhook(call))
      return call.reply.code(204).send()
    },
  },
  {
    method: "POST",
    path: `${PATH}/:id/test`,
    access: "session",
    id: "testWebhook",
    summary: "Send a test",
    description:
      "Sends `webhook.test` once, now, and lists it among the deliveries. A disabled webhook that takes it is enabled again.",
    params: WEBHOOK,
    responses: { "200": success("It arrived", WebhookTestResponseSchema) },
    failures: ["noWebhook", "receiverFailed", "tooManyTests"],
    handle: async ({ context, delivering }, call) => {
      const webhook = ownWebhook(call)
      await countTest(context, webhook.userId, "webhook")
      const tested = await testWebhook({ ...context, ...delivering }, webhook)
      return { delivery: presentDelivery(tested) }
    },
  },
  {
    method: "POST",
    path: `${PATH}/:id/secret`,
    access: "session",
    id: "rotateWebhookSecret",
    summary: "Make another secret",
    description:
      "It is in this response only. For a day deliveries are signed with the former one too, so that none is refused meanwhile. " +
      "At most ten secrets sign at a time.",
    params: WEBHOOK,
    responses: { "200": success("The new secret", WebhookSecretResponseSchema) },
    failures: ["noWebhook", "tooManySecrets"],
    handle: async ({ context }, call) => ({ secret: await rotateWebhookSecret(context, ownWebhook(call)) }),
  },
  {
    method: "GET",
    path: `${PATH}/:id/deliveries`,
    access: "session",
    id: "listWebhookDeliveries",
    summary: "List deliveries",
    description: "The newest 100, with the answer and the time of the newest attempt. They are kept for 30 days.",
    params: WEBHOOK,
    responses: { "200": success("The deliveries", WebhookDeliveriesResponseSchema) },
    failures: ["noWebhook"],
    handle: async ({ context }, call): Promise<WebhookDeliveriesResponse> => ({
      deliveries: (await listDeliveries(context, ownWebhook(call))).map(presentDelivery),
    }),
  },
  {
    method: "POST",
    path: `${PATH}/:id/deliveries/:delivery/redeliver`,
    access: "session",
    id: "redeliverWebhook",
    summary: "Send a delivery again",
    description: "It keeps its `webhook-id`, and is tried as a new one is.",
    params: z.object({ id, delivery: id }),
    responses: { "202": success("It waits", WebhookTestResponseSchema) },
    failures: ["noWebhook", "disabledWebhook", "tooManyTests"],
    handle: async ({ context }, call) => {
      await countRedelivery(context, ownWebhook(call).userId)
      const delivery = { ...ownWebhook(call), deliveryId: pathParameter(call.request, "delivery") }
      return call.reply.code(202).send({ delivery: presentDelivery(await redeliver(context, delivery)) })
    },
  },
])
