import { InvalidRequest, NotFound, type ReceiveWebhook, Unauthorized, type WebhookOutcome } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { Counter, type Registry } from "prom-client"
import { z } from "zod"

const ParametersSchema = z.object({ provider: z.string() })
const BodySchema = z.instanceof(Buffer)

/** What a webhook is counted as. */
type Counted = WebhookOutcome | "forged" | "unreadable" | "failed"

/** Counts a webhook by its vendor and what became of it. */
export type CountWebhook = (provider: string, outcome: Counted) => void

export function createWebhookCounter(registry: Registry): CountWebhook {
  const counter = new Counter({
    name: "restwell_webhooks_total",
    help: "Webhooks by vendor and what became of them",
    labelNames: ["provider", "outcome"],
    registers: [registry],
  })
  return (provider, outcome) => counter.inc({ provider, outcome })
}

/**
 * POST /api/webhooks/{provider}: the vendor tells of a change. 204 once it is kept, and for what nobody here is concerned by: a vendor
 * repeats what is not answered with success.
 */
export const webhookDoor =
  (receive: ReceiveWebhook, count: CountWebhook) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = ParametersSchema.parse(request.params)
    try {
      const rawBody = BodySchema.safeParse(request.body).data ?? Buffer.alloc(0)
      count(provider, await receive(provider, { headers: request.headers, rawBody }))
      return await reply.code(204).header("cache-control", "no-store").send()
    } catch (error) {
      // A name that is no vendor's makes no series.
      if (!(error instanceof NotFound)) count(provider, failureOf(error))
      throw error
    }
  }

function failureOf(error: unknown): Counted {
  if (error instanceof Unauthorized) return "forged"
  return error instanceof InvalidRequest ? "unreadable" : "failed"
}
