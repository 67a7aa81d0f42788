// Sends a message as a webhook, by Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
import { Webhook } from "standardwebhooks"
import type { OpenReceiver, OutgoingMessage, Sender, SendResult } from "./sender.ts"

/** A request to a receiver. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** The answer to a request, with the beginning of its body. `problem`: why there was none, in words. */
export type PostResult = { readonly status: number; readonly text: string } | { readonly problem: string }

/** Sends a request to an address that a person named. It follows no redirect. */
export type SendPost = (post: Post, signal: AbortSignal) => Promise<PostResult>

/** RFC 9110 15.5.11: the receiver is gone for good. */
const GONE = 410

export const createWebhookSender =
  (send: SendPost): Sender =>
  async (receiver, message, { now, signal }) =>
    resultOf(await send(signedPost(receiver, message, now), signal))

/** The body, and the headers that sign it with each valid secret. */
function signedPost({ url, secrets }: OpenReceiver, message: OutgoingMessage, now: Date): Post {
  const { id, type, createdAt, data, record } = message
  const body = JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data: { ...data, ...(record !== undefined && { record }) },
  })
  return {
    url,
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
      "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
    },
  }
}

/** What an answer means. */
export function resultOf(result: PostResult): SendResult {
  if ("problem" in result) return { outcome: "failed", status: null, answer: result.problem }
  const { status, text: answer } = result
  if (status >= 200 && status < 300) return { outcome: "delivered", status, answer }
  if (status >= 300 && status < 400)
    return { outcome: "failed", status, answer: "it redirects to another address: enter that one" }
  return { outcome: status === GONE ? "gone" : "failed", status, answer }
}
