// What a person is told without asking: the briefing of the morning and rules, and where they are sent.
import {
  ChannelTestSchema,
  NotificationsChangeSchema,
  type NotificationsResponse,
  NotificationsResponseSchema,
  PreviewRequestSchema,
  PreviewResponseSchema,
} from "@restwell/client"
import {
  type Context,
  changeNotifications,
  InvalidRequest,
  previewRule,
  readNotifications,
  testChannel,
} from "@restwell/core"
import { z } from "zod"
import { jsonBody, success } from "../../openapi/responses.ts"
import { readPushKeys } from "../../push/push-keys.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody } from "../plumbing/requests.ts"
import { type AccountServices, expensive } from "./account.ts"

const PATH = "/api/account/notifications"

const presentNotifications = async (context: Context, userId: string): Promise<NotificationsResponse> => ({
  ...(await readNotifications(context, userId)),
  push_public_key: (await readPushKeys(context)).publicKey,
})

/** The settings of the page Notifications. */
export const notificationEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: PATH,
    access: "session",
    id: "readNotifications",
    summary: "Read what is sent without asking",
    description: "The briefing, the rules, quiet hours and the address of ntfy. Its token never comes back.",
    responses: { "200": success("The settings", NotificationsResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      () =>
        presentNotifications(context, userId),
  },
  {
    method: "PUT",
    path: PATH,
    access: "session",
    id: "writeNotifications",
    mostBodyBytes: 32_768,
    summary: "Set what is sent without asking",
    description:
      "Stores the parts that are given, and leaves the others. A rule that is new, changed or switched on counts from now on: it says " +
      "nothing of the morning that is over.",
    requestBody: jsonBody(NotificationsChangeSchema),
    responses: { "200": success("The settings as they are now", NotificationsResponseSchema) },
    failures: ["invalidRequest", "tooManyAtOnce"],
    handle: expensive(async ({ context, statistics }, { session: { userId }, request }) => {
      await changeNotifications({ ...context, statistics }, userId, parseBody(request, NotificationsChangeSchema))
      return presentNotifications(context, userId)
    }),
  },
  {
    method: "POST",
    path: `${PATH}/preview`,
    access: "session",
    id: "previewRule",
    summary: "Preview a rule",
    description:
      "The mornings of the last 90 on which the rule would have sent something. Each is judged as the morning that has just been scored is. Of " +
      "a rule of the kind `missing`, a night counts as having arrived when it ended.",
    requestBody: jsonBody(PreviewRequestSchema),
    responses: { "200": success("The mornings", PreviewResponseSchema) },
    failures: ["invalidRequest", "tooManyAtOnce"],
    handle: expensive(async ({ context, statistics }, { session: { userId }, request }) => {
      const { rule } = parseBody(request, PreviewRequestSchema)
      return () => previewRule({ ...context, statistics }, userId, rule)
    }),
  },
  {
    method: "POST",
    path: `${PATH}/test`,
    access: "session",
    id: "testChannel",
    summary: "Send a test",
    description: "Sends a message now and once: to all browsers of the person, or to the topic of ntfy.",
    requestBody: jsonBody(ChannelTestSchema),
    responses: { "200": success("It arrived", z.object({})) },
    failures: ["receiverFailed"],
    handle: async ({ context, delivering }, { session: { userId }, request }) => {
      const { channel } = parseBody(request, ChannelTestSchema)
      if (channel !== "push" && channel !== "ntfy")
        throw new InvalidRequest(`channel ${channel} has no test`, "channel")
      await testChannel({ ...context, ...delivering }, userId, channel)
      return {}
    },
  },
])
