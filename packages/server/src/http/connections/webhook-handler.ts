import {
  answerChallenge,
  type Context,
  InvalidRequest,
  NotFound,
  type ReceiveWebhook,
  Unauthorized,
  type WebhookOutcome,
} from "@restwell/core"
import { Counter, type Registry } from "prom-client"
import { z } from "zod"
import { pathParameter } from "../plumbing/query-parameters.ts"
import type { Handler } from "../plumbing/route.ts"

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

/**
 * POST /api/webhooks/{provider}: the vendor notifies us of a change. 204 once it is stored, and also for events that concern nobody here:
 * vendors repeat what is not answered with success.
 */
export const webhookHandler =
  (receive: ReceiveWebhook, count: CountWebhook): Handler =>
  async (request, reply) => {
    const provider = pathParameter(request, "provider")
    try {
      const rawBody = BodySchema.safeParse(request.body).data ?? Buffer.alloc(0)
      count(provider, await receive(provider, { headers: request.headers, rawBody }))
      return await reply.code(204).header("cache-control", "no-store").send()
    } catch (error) {
      // An unknown name must not become a label of the metric.
      if (!(error instanceof NotFound)) count(provider, failureOf(error))
      throw error
    }
  }

/** GET /api/webhooks/{provider}: the vendor asks whether this address belongs to the app before it sends webhooks here. */
export const challengeHandler =
  (context: Pick<Context, "adapters">, baseUrl: string): Handler =>
  async (request, reply) => {
    const { searchParams } = new URL(request.url, baseUrl)
    const answer = answerChallenge(context, pathParameter(request, "provider"), searchParams)
    return reply.header("cache-control", "no-store").send(answer)
  }

function failureOf(error: unknown): Outcome {
  if (error instanceof Unauthorized) return "forged"
  return error instanceof InvalidRequest ? "unreadable" : "failed"
}
