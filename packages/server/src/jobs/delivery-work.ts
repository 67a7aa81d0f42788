// Sends the messages that wait for people's receivers.
import { MINUTE_MS } from "@restwell/client/time-units"
import {
  DELIVERY_PLACES,
  type DeliveryContext,
  deliverMessages,
  isDatabaseAway,
  tellLongFailures,
} from "@restwell/core"
import { type ReceiverNetwork, sendersOf } from "../network/receivers.ts"
import type { OptionalWork } from "./optional-work.ts"

/** After an unexpected error. */
const RETRY_MS = 5 * MINUTE_MS

interface DeliveryParts extends Pick<DeliveryContext, "pool"> {
  readonly receivers: ReceiverNetwork
  readonly baseUrl: () => string
}

export function createDeliveryWork({ pool, receivers, baseUrl }: DeliveryParts): OptionalWork {
  return {
    places: () => DELIVERY_PLACES,
    addDue: tellLongFailures,
    async run(context, job, signal) {
      try {
        const senders = sendersOf(receivers, { context, baseUrl })
        return await deliverMessages({ ...context, pool, senders }, job, signal)
      } catch (error) {
        if (signal.aborted) return "at_once"
        if (isDatabaseAway(error)) throw error
        context.logger.error({ err: error, receiver: job.key }, "could not send messages")
        return new Date(context.clock.now().getTime() + RETRY_MS)
      }
    },
  }
}
