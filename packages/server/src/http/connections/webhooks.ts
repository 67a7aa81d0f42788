import {
  answerChallenge,
  type Context,
  InvalidRequest,
  NotFound,
  type ReceiveWebhook,
  Unauthorized,
  type WebhookOutcome,
} from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import { Counter, type Registry } from "prom-client"
import { z } from "zod"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { WEBHOOKS_PATH } from "../plumbing/metrics.ts"
import { pathParameter } from "../plumbing/requests.ts"

const BodySchema = z.instanceof(Buffer)

type Outcome = WebhookOutcome | "forged" | "unreadable" | "failed"

/** Counts a webhook by its vendor and outcome. */
export type CountWebhook = (provider: string, outcome: Outcome) => void

export function createWebhookCounter(registry: Registry): CountWebhook {
  const counter = new Counter({
    name: "restwell_webhooks_total",
    help: "Webhooks by vendor and outcome",
    labelNames: ["provider", "outcome"],
    registers: [registry],
  })
  return (provider, outcome) => counter.inc({ provider, outcome })
}

function failureOf(error: unknown): Outcome {
  if (error instanceof Unauthorized) return "forged"
  return error instanceof InvalidRequest ? "unreadable" : "failed"
}

/** What each vendor sends. */
const WEBHOOKS = Object.values(VENDORS).map(({ webhook }) => webhook)

const PROVIDER = z.object({ provider: z.string().meta({ description: "The vendor's name", example: "whoop" }) })

export interface WebhookServices {
  readonly context: Pick<Context, "adapters">
  readonly baseUrl: string
  readonly receiveWebhook: ReceiveWebhook
  readonly countWebhook: CountWebhook
}

/** What vendors call, for operators and for simulators of a vendor. Each vendor has its own headers and body. */
export const webhookEndpoints = defineEndpoints<WebhookServices>("Service", [
  {
    method: "GET",
    path: WEBHOOKS_PATH,
    access: "anybody",
    id: "answerWebhookChallenge",
    summary: "Answer a vendor's challenge",
    description: "Oura asks whether the address belongs to the app before it sends webhooks there.",
    params: PROVIDER,
    query: z.object({
      verification_token: z.string().meta({ description: "The token of the subscription" }),
      challenge: z.string().meta({ description: "What to repeat" }),
    }),
    responses: {
      "200": {
        description: "The challenge, repeated",
        content: {
          "application/json": {
            schema: z.object({ challenge: z.string() }).meta({ id: "WebhookChallenge" }),
            example: { challenge: "b5bb9d8014a0f9b1d61e21e796d78dcc" },
          },
        },
      },
    },
    failures: ["notSigned", "noVendor"],
    // The vendor asks whether this address belongs to the app before it sends webhooks here.
    handle: async ({ context, baseUrl }, { request }) => {
      const { searchParams } = new URL(request.url, baseUrl)
      return answerChallenge(context, pathParameter(request, "provider"), searchParams)
    },
  },
  {
    method: "POST",
    path: WEBHOOKS_PATH,
    access: "anybody",
    fromAnySite: true,
    bodyType: "bytes",
    id: "receiveWebhook",
    summary: "Receive a vendor's webhook",
    description: `${WEBHOOKS.map(({ note }) => note).join(" ")} The changed record is read from the vendor a moment later. Events of unknown people or types are acknowledged too.`,
    params: PROVIDER,
    headers: z.object(Object.fromEntries(WEBHOOKS.flatMap(({ headers }) => Object.entries(headers)))),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: z.union(WEBHOOKS.map(({ event }) => event)),
          examples: Object.fromEntries(
            Object.entries(VENDORS).map(([name, { webhook }]) => [name, { value: webhook.example }]),
          ),
        },
      },
    },
    responses: { "204": { description: "Stored, or not about anybody here" } },
    failures: ["notSigned", "noVendor", "unavailable"],
    // 204 also for events that concern nobody here: vendors repeat an event until the answer is a success.
    handle: async ({ receiveWebhook: receive, countWebhook: count }, { request, reply }) => {
      const provider = pathParameter(request, "provider")
      try {
        const rawBody = BodySchema.safeParse(request.body).data ?? Buffer.alloc(0)
        count(provider, await receive(provider, { headers: request.headers, rawBody }))
        return await reply.code(204).send()
      } catch (error) {
        // An unknown name must not become a label of the metric.
        if (!(error instanceof NotFound)) count(provider, failureOf(error))
        throw error
      }
    },
  },
])
