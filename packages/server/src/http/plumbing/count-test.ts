// The limit of test messages, each of which makes this installation write to a server that a person names.
import type { Channel } from "@restwell/client"
import { type Context, TooManyAttempts, takeAttempt } from "@restwell/core"

/** Of a person, by each channel. Mail servers block senders of many equal messages. */
const TESTS = { attempts: 10, windowSeconds: 300 }
/** Of a person. After a day away a receiver may have missed several in a row. */
const REDELIVERIES = { attempts: 60, windowSeconds: 300 }

/** @throws {TooManyAttempts} */
export async function countTest(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  channel: Channel,
): Promise<void> {
  const waitSeconds = await takeAttempt(context, `${channel}-test/${userId}`, TESTS)
  if (waitSeconds > 0)
    throw new TooManyAttempts(`too many test messages, try again in ${waitSeconds} seconds`, waitSeconds)
}

/** Deliveries that are sent again, which voids the pause after failures. @throws {TooManyAttempts} */
export async function countRedelivery(context: Pick<Context, "database" | "clock">, userId: string): Promise<void> {
  const waitSeconds = await takeAttempt(context, `webhook-redelivery/${userId}`, REDELIVERIES)
  if (waitSeconds > 0)
    throw new TooManyAttempts(`too many deliveries sent again, try again in ${waitSeconds} seconds`, waitSeconds)
}
