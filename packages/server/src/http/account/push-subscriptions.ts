// Browsers that show notifications: to turn them on, list them and turn them off.
import {
  PushSubscriptionRequestSchema,
  PushSubscriptionResponseSchema,
  type PushSubscriptionsResponse,
  PushSubscriptionsResponseSchema,
} from "@restwell/client"
import { endPushSubscription, InvalidRequest, listPushSubscriptions, savePushSubscription } from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../../network/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { isBrowserKey } from "../../push/browser-key.ts"
import { browserName } from "../../push/browser-name.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"
import type { AccountServices } from "./account.ts"

const PATH = "/api/account/push-subscriptions"
const SUBSCRIPTION_ID = z.object({ id: z.string().meta({ example: "5d41402a-bc4b-2a76-b971-9d911017c592" }) })

/** Notifications in browsers, by Web Push. */
export const pushSubscriptionEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: PATH,
    access: "session",
    id: "listPushSubscriptions",
    summary: "List browsers with notifications",
    description:
      "Browsers that show notifications, and what became of the last one. Their addresses and keys are not listed.",
    responses: { "200": success("The browsers", PushSubscriptionsResponseSchema) },
    handle:
      async ({ context }, { session }) =>
      async (): Promise<PushSubscriptionsResponse> => {
        const browsers = await listPushSubscriptions(context, session)
        return {
          subscriptions: browsers.map(({ createdAt, lastSentAt, isThisSession, ...browser }) => ({
            ...browser,
            created_at: createdAt.toISOString(),
            last_sent_at: lastSentAt?.toISOString() ?? null,
            is_this_session: isThisSession,
          })),
        }
      },
  },
  {
    method: "POST",
    path: PATH,
    access: "session",
    id: "savePushSubscription",
    summary: "Turn on notifications in a browser",
    description:
      "Takes what `PushSubscription.toJSON()` returns. A repeat replaces the keys. It ends with the sign-out of the browser, with a password " +
      "change that signs out the others, and once the push service does not know it any more. At most 20.",
    requestBody: jsonBody(PushSubscriptionRequestSchema),
    responses: { "201": success("The browser is stored", PushSubscriptionResponseSchema) },
    failures: ["tooManyBrowsers"],
    handle: async ({ context }, { session: { userId, sessionId }, reply, request }) => {
      const subscription = parseBody(request, PushSubscriptionRequestSchema)
      if (!isBrowserKey(subscription.keys.p256dh))
        throw new InvalidRequest("keys.p256dh must be a point of the curve P-256 (RFC 8291)", "keys.p256dh")
      const name = browserName(request.headers["user-agent"])
      const browser = { userId, sessionId, name, network: networkOf(request.ip) }
      return reply.code(201).send({ id: await savePushSubscription(context, browser, subscription) })
    },
  },
  {
    method: "DELETE",
    path: `${PATH}/:id`,
    access: "session",
    id: "endPushSubscription",
    summary: "Turn off notifications in a browser",
    description: "Nothing is sent to it any more. The other browsers stay.",
    params: SUBSCRIPTION_ID,
    responses: { "204": { description: "Ended" } },
    failures: ["noBrowser"],
    handle: async ({ context }, { session: { userId }, reply, request }) => {
      const browser = { userId, id: pathParameter(request, "id"), network: networkOf(request.ip) }
      await endPushSubscription(context, browser)
      return reply.code(204).send()
    },
  },
])
