/* What a browser gets nothing of is an outcome in words, so that the other messages and browsers go on. */
import { createECDH } from "node:crypto"
import { HOUR_MS } from "@restwell/client/time-units"
import type { Post } from "@restwell/core"
import { PushService } from "@restwell/testing/push-service"
import { expect, test } from "vitest"
import webPush from "web-push"
import { z } from "zod"
import { createPushSender } from "../../src/push/push-sender.ts"

const CREATED = new Date("2026-11-20T07:00:00Z")
const browser = createECDH("prime256v1")
const REAL_KEY = browser.generateKeys("base64url")
/** 2^256 - 1 is larger than any coordinate of the curve. */
const NO_POINT = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)]).toString("base64url")

async function send({ p256dh = REAL_KEY, type = "rule.matched", ageMs = 0 }) {
  const posts: Post[] = []
  const sender = createPushSender({
    post: async (post) => {
      posts.push(post)
      return { status: 201, text: "" }
    },
    keys: async () => webPush.generateVAPIDKeys(),
    baseUrl: () => "https://restwell.example",
  })
  const receiver = {
    userId: "ada",
    id: "one",
    url: "https://push.example/one",
    secrets: [JSON.stringify({ p256dh, auth: "BTBZMqHH6r4Tts7J_aSIgg" })],
  }
  const data = { title: "Your night", text: "You slept 7 h 52 min.", path: "/" }
  const message = { id: "1", type, createdAt: CREATED, data }
  const now = new Date(CREATED.getTime() + ageMs)
  const result = await sender(receiver, message, { now, signal: new AbortController().signal })
  return { outcome: result.outcome, ttls: posts.map(({ headers }) => headers["ttl"]) }
}

test("the summary of a history has a tag of its own, so that it replaces no briefing that was not read yet", async () => {
  await using service = await PushService.start()
  const { endpoint: url, keys } = service.subscribe()
  const sender = createPushSender({
    post: async ({ url: address, headers, body }) => {
      const { status } = await fetch(address, { method: "POST", headers, body: new Uint8Array(Buffer.from(body)) })
      return { status, text: "" }
    },
    keys: async () => webPush.generateVAPIDKeys(),
    baseUrl: () => "https://restwell.example",
  })
  const receiver = { userId: "ada", id: "one", url, secrets: [JSON.stringify(keys)] }
  const tagOf = async (type: string, more: object) => {
    const data = { title: "Your night", text: "You slept 7 h 52 min.", path: "/", ...more }
    const message = { id: "1", type, createdAt: CREATED, data }
    const result = await sender(receiver, message, { now: CREATED, signal: new AbortController().signal })
    expect(result.outcome).toBe("delivered")
    return z.object({ tag: z.string() }).parse(JSON.parse(service.received.at(-1)?.text ?? "")).tag
  }
  expect(await tagOf("briefing.ready", { mode: "live" })).toBe("briefing.ready")
  expect(await tagOf("briefing.ready", { mode: "import" })).toBe("briefing.ready/import")
  expect(await tagOf("rule.matched", { mode: "live", rule: "low" })).toBe("rule.matched/low")
})

const secondsOf = (hours: number): string => String((hours * HOUR_MS) / 1_000)

test.each([
  ["of a rule is kept for 12 hours", { ageMs: 0 }, { outcome: "delivered", ttls: [secondsOf(12)] }],
  [
    "that waited for long quiet hours is sent",
    { ageMs: 14 * HOUR_MS },
    { outcome: "delivered", ttls: [secondsOf(12)] },
  ],
  [
    "is a briefing, and not kept beyond its 20 hours",
    { type: "briefing.ready", ageMs: 13 * HOUR_MS },
    { outcome: "delivered", ttls: [secondsOf(7)] },
  ],
  ["fails for a key that is no point of the curve", { p256dh: NO_POINT }, { outcome: "failed", ttls: [] }],
])("a message %s", async (_, wanted, expected) => {
  expect(await send(wanted)).toEqual(expected)
})
