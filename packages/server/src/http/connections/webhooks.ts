import {
  answerChallenge,
  type Context,
  InvalidRequest,
  NotFound,
  type ReceiveWebhook,
  Unauthorized,
  type WebhookOutcome,
} from "@restwell/core"
import { VENDOR_LIST } from "@restwell/providers"
import { Counter, type Registry } from "prom-client"
import { z } from "zod"
import { VENDOR_PARAMS } from "../../openapi/vendor-params.ts"
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

/** What each vendor sends that sends anything. */
const WEBHOOKS = VENDOR_LIST.flatMap(([provider, { webhook }]) => (webhook ? [{ provider, ...webhook }] : []))

/** What vendors ask before they send webhooks. */
const CHALLENGES = WEBHOOKS.flatMap(({ provider, challenge }) => (challenge ? [{ provider, ...challenge }] : []))

/** One schema of several. */
const anyOf = ([first, ...others]: readonly z.ZodType[]): z.ZodType =>
  first === undefined ? z.never() : others.length === 0 ? first : z.union([first, ...others])

/** An example of each vendor, by its name. */
const examplesOf = <Value>(vendors: readonly { readonly provider: string; readonly example: Value }[]) =>
  Object.fromEntries(vendors.map(({ provider, example }) => [provider, { value: example }]))

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
    description: CHALLENGES.map(({ note }) => note).join(" "),
    params: VENDOR_PARAMS,
    query: z.object(Object.fromEntries(CHALLENGES.flatMap(({ query }) => Object.entries(query)))),
    responses: {
      "200": {
        description: "The answer that the vendor expects",
        content: {
          "application/json": {
            schema: anyOf(CHALLENGES.map(({ answer }) => answer)),
            examples: examplesOf(CHALLENGES),
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
    params: VENDOR_PARAMS,
    headers: z.object(Object.fromEntries(WEBHOOKS.flatMap(({ headers }) => Object.entries(headers)))),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: anyOf(WEBHOOKS.map(({ event }) => event)),
          examples: examplesOf(WEBHOOKS),
        },
      },
    },
    responses: {
      "200": { description: "The vendor asked whether this address answers. Nothing is stored" },
      "204": { description: "Stored, or not about anybody here" },
    },
    failures: ["notSigned", "noVendor", "unavailable"],
    // 204 also for events that concern nobody here: vendors repeat an event until the answer is a success.
    handle: async ({ receiveWebhook: receive, countWebhook: count }, { request, reply }) => {
      const provider = pathParameter(request, "provider")
      try {
        const rawBody = BodySchema.safeParse(request.body).data ?? Buffer.alloc(0)
        const outcome = await receive(provider, { headers: request.headers, rawBody })
        count(provider, outcome)
        return await reply.code(outcome === "ping" ? 200 : 204).send()
      } catch (error) {
        // An unknown name must not become a label of the metric.
        if (!(error instanceof NotFound)) count(provider, failureOf(error))
        throw error
      }
    },
  },
])
