// Sends messages to browsers by Web Push (RFC 8030). Only the browser can read them (RFC 8291), and they name this installation (RFC 8292).
import { HOUR_MS, SECOND_MS } from "@restwell/client/time-units"
import {
  LONGEST_BRIEFING_AGE_MS,
  type OutgoingMessage,
  type Sender,
  type SendPost,
  type SendResult,
} from "@restwell/core"
import { z } from "zod"
import { isBrowserKey } from "./browser-key.ts"
import { loadWebPush, type PushKeys } from "./push-keys.ts"

/** What a browser shows. A click opens the path. */
const MessageSchema = z.object({
  title: z.string(),
  text: z.string(),
  path: z.string(),
  /** The id of the rule that matched. */
  rule: z.string().optional(),
  mode: z.string().default("live"),
})
const KeysSchema = z.object({ p256dh: z.string(), auth: z.string() })

interface Subscription {
  readonly endpoint: string
  readonly keys: z.infer<typeof KeysSchema>
}

interface PushSenderParts {
  readonly post: SendPost
  readonly keys: () => Promise<PushKeys>
  /** The public address: push services get it as contact. */
  readonly baseUrl: () => string
}

/** How long a push service keeps a message for a browser that is off. RFC 8030 5.2 */
const KEPT_MS = 12 * HOUR_MS
/** Encrypted, they stay below the 4,096 bytes that every push service takes. RFC 8030 7.2 */
const MOST_CHARACTERS = { title: 100, body: 800 }

export const createPushSender =
  ({ post, keys, baseUrl }: PushSenderParts): Sender =>
  async (receiver, message, { now, signal }) => {
    const subscription = { endpoint: receiver.url, keys: KeysSchema.parse(JSON.parse(receiver.secrets[0] ?? "")) }
    if (!isBrowserKey(subscription.keys.p256dh))
      return {
        outcome: "failed",
        status: null,
        answer: "nothing can be encrypted for this browser: turn notifications off and on in it",
      }
    const request = await encrypted(subscription, message, { now, keys: await keys(), contact: contactOf(baseUrl()) })
    const result = await post(request, signal)
    if ("problem" in result) return { outcome: "failed", status: null, answer: `the push service: ${result.problem}` }
    return resultOf(result.status)
  }

interface Sending {
  readonly now: Date
  readonly keys: PushKeys
  readonly contact: string
}

/** Counted from now: a message may have waited for the end of quiet hours. A briefing is not kept until the next one has come. */
function ttlSeconds({ type, createdAt }: OutgoingMessage, now: Date): number {
  const leftMs = createdAt.getTime() + LONGEST_BRIEFING_AGE_MS - now.getTime()
  const keptMs = type === "briefing.ready" ? Math.min(KEPT_MS, Math.max(0, leftMs)) : KEPT_MS
  return Math.floor(keptMs / SECOND_MS)
}

async function encrypted(subscription: Subscription, message: OutgoingMessage, { now, keys, contact }: Sending) {
  const { type, data } = message
  const { generateRequestDetails } = await loadWebPush()
  const { title, text, path, rule, mode } = MessageSchema.parse(data)
  const content = {
    title: title.slice(0, MOST_CHARACTERS.title),
    body: text.slice(0, MOST_CHARACTERS.body),
    path,
    // The next briefing replaces the one before. Two rules do not replace each other, and the summary of a history replaces no briefing.
    tag: [type, ...(rule === undefined ? [] : [rule]), ...(mode === "live" ? [] : [mode])].join("/"),
  }
  const { headers, body } = generateRequestDetails(subscription, JSON.stringify(content), {
    vapidDetails: { subject: contact, ...keys },
    TTL: ttlSeconds(message, now),
    // A phone that sleeps shows it at once. RFC 8030 5.3
    urgency: "high",
  })
  return {
    url: subscription.endpoint,
    body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
  }
}

/** RFC 8030 5 and 7.3, and what Google, Mozilla and Apple answer. */
function resultOf(status: number): SendResult {
  if (status >= 200 && status < 300) return { outcome: "delivered", status, answer: "" }
  if (status === 404 || status === 410)
    return { outcome: "gone", status, answer: "the push service does not know this browser any more" }
  return { outcome: "failed", status, answer: faultOf(status) }
}

function faultOf(status: number): string {
  if (status === 429) return "the push service wants fewer messages"
  if (status === 401 || status === 403)
    return "the push service does not accept the key of this installation: turn notifications off and on in that browser"
  return `the push service answered with status ${status}`
}

/** Where a push service's people find the operator. At this computer's own address there is nobody to find. RFC 8292 2.1 */
const contactOf = (baseUrl: string): string =>
  baseUrl.startsWith("https:") ? baseUrl : "mailto:operator@restwell.invalid"
