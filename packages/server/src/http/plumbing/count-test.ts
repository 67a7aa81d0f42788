// The limits of messages on request, each of which makes this installation write to a server that a person names.
import type { Channel } from "@restwell/client"
import { type Context, TooManyAttempts, takeAttempt } from "@restwell/core"

/** Of a person, by each channel. Mail servers block senders of many equal messages. */
const TESTS = { attempts: 10, windowSeconds: 300 }
/** Of a person. After a day away a receiver may have missed several in a row. */
const REDELIVERIES = { attempts: 60, windowSeconds: 300 }

type Counting = Pick<Context, "database" | "clock">

/** @throws {TooManyAttempts} */
export const countTest = (context: Counting, userId: string, channel: Channel): Promise<void> =>
  count(context, { key: `${channel}-test/${userId}`, limit: TESTS, what: "test messages" })

/** Deliveries that are sent again, which voids the pause after failures. @throws {TooManyAttempts} */
export const countRedelivery = (context: Counting, userId: string): Promise<void> =>
  count(context, { key: `webhook-redelivery/${userId}`, limit: REDELIVERIES, what: "deliveries sent again" })

async function count(
  context: Counting,
  { key, limit, what }: { readonly key: string; readonly limit: typeof TESTS; readonly what: string },
): Promise<void> {
  const waitSeconds = await takeAttempt(context, key, limit)
  if (waitSeconds > 0) throw new TooManyAttempts(`too many ${what}, try again in ${waitSeconds} seconds`, waitSeconds)
}
