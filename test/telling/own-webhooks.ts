// Webhooks as a person makes and reads them.
import { WebhookDeliveriesResponseSchema, WebhookResponseSchema, WebhooksResponseSchema } from "@restwell/client"
import type { Member } from "@restwell/testing/member"
import { expect } from "vitest"

export const WEBHOOKS = "/api/account/webhooks"

export async function makeWebhook(member: Member, url: string, more: object = {}) {
  const response = await member.send("POST", WEBHOOKS, { url, ...more })
  expect([response.status, await response.clone().text()]).toEqual([201, expect.stringContaining("whsec_")])
  return WebhookResponseSchema.parse(await response.json())
}

export const webhooksOf = async (member: Member) =>
  WebhooksResponseSchema.parse(await (await member.send("GET", WEBHOOKS)).json()).webhooks

export const deliveriesOf = async (member: Member, id: string) =>
  WebhookDeliveriesResponseSchema.parse(await (await member.send("GET", `${WEBHOOKS}/${id}/deliveries`)).json())
    .deliveries
