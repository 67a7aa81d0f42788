/* What a browser gets nothing of is an outcome in words, so that the other messages and browsers go on. */
import { createECDH } from "node:crypto"
import { HOUR_MS } from "@restwell/client/time-units"
import type { Post } from "@restwell/core"
import { expect, test } from "vitest"
import webPush from "web-push"
import { createPushSender } from "../../src/push/push-sender.ts"

const CREATED = new Date("2026-11-20T07:00:00Z")
const browser = createECDH("prime256v1")
const REAL_KEY = browser.generateKeys("base64url")
/** 2^256 - 1 is larger than any coordinate of the curve. */
const NO_POINT = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)]).toString("base64url")

async function send(p256dh: string, ageMs: number) {
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
  const message = { id: "1", type: "briefing.ready", createdAt: CREATED, data }
  const now = new Date(CREATED.getTime() + ageMs)
  const result = await sender(receiver, message, { now, signal: new AbortController().signal })
  return { outcome: result.outcome, posts: posts.length }
}

test.each([
  ["is sent within 12 hours", REAL_KEY, 11 * HOUR_MS, { outcome: "delivered", posts: 1 }],
  ["expires after 12 hours", REAL_KEY, 12 * HOUR_MS, { outcome: "expired", posts: 0 }],
  ["fails for a key that is no point of the curve", NO_POINT, 0, { outcome: "failed", posts: 0 }],
] as const)("a message %s", async (_, key, ageMs, expected) => {
  expect(await send(key, ageMs)).toEqual(expected)
})
