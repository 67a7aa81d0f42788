// What a person is told without asking: the briefing of the morning and rules, and where they are sent.
import { NotificationsChangeSchema, NotificationsResponseSchema } from "@restwell/client"
import { readNotifications, saveNotifications } from "@restwell/core"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody } from "../plumbing/requests.ts"
import type { AccountServices } from "./account.ts"

const PATH = "/api/account/notifications"

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
        readNotifications(context, userId),
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
    failures: ["invalidRequest"],
    handle: async ({ context }, { session: { userId }, request }) => {
      await saveNotifications(context, userId, parseBody(request, NotificationsChangeSchema))
      return readNotifications(context, userId)
    },
  },
])
