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
  ReceiverFailed,
  readNotifications,
  testChannel,
} from "@restwell/core"
import { z } from "zod"
import type { Session } from "../../accounts/session.ts"
import { composeMail } from "../../mail/compose-mail.ts"
import { mailFaultText, sendTestMail } from "../../mail/test-mail.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { readPushKeys } from "../../push/push-keys.ts"
import { countTest } from "../plumbing/count-test.ts"
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
    handle: expensive(async ({ context, statistics, receivers }, { session: { userId }, request }) => {
      const change = parseBody(request, NotificationsChangeSchema)
      const refusal = change.ntfy ? await receivers.findRefusal(change.ntfy.url) : undefined
      if (refusal !== undefined) throw new InvalidRequest(`ntfy.url: ${refusal}`, "ntfy.url")
      await changeNotifications({ ...context, statistics }, userId, change)
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
    description:
      "Sends a message now and once: by email, to all browsers or webhooks of the person, or to the topic of ntfy. Of several browsers or " +
      "webhooks, one that takes it is enough.",
    requestBody: jsonBody(ChannelTestSchema),
    responses: { "200": success("It arrived", z.object({})) },
    failures: ["receiverFailed", "tooManyTests"],
    handle: async (services, { session, request }) => {
      const { context, delivering } = services
      const { channel } = parseBody(request, ChannelTestSchema)
      if (channel === "email") await testEmail(services, session)
      else {
        await countTest(context, session.userId, channel)
        await testChannel({ ...context, ...delivering }, session.userId, channel)
      }
      return {}
    },
  },
])

const EMAIL_TEST = {
  title: "A test from Restwell",
  lines: ["This is a test. Notifications arrive at this address."],
  figures: [],
  path: "/notifications",
}

/** @throws {InvalidRequest} without a mail server @throws {TooManyAttempts} @throws {ReceiverFailed} with its answer in words */
async function testEmail({ context, live, baseUrl }: AccountServices, { user }: Session): Promise<void> {
  const { mail } = live.current()
  if (mail === undefined)
    throw new InvalidRequest(
      "channel email is not set up: this Restwell sends no email yet, its owner can set a mail server up on the page Service",
      "channel",
    )
  await countTest(context, user.id, "email")
  const failure = await sendTestMail(mail, user.email, composeMail({ kind: "notice", message: EMAIL_TEST }, baseUrl))
  if (failure) throw new ReceiverFailed(mailFaultText(failure), { cause: failure })
}
