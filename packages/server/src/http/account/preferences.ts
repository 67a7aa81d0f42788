import { PreferencesChangeSchema, PreferencesResponseSchema } from "@restwell/client"
import { readPreferences, savePreferences } from "@restwell/core"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody } from "../plumbing/requests.ts"
import type { AccountServices } from "./account-services.ts"

/** How the page writes figures and clock times. */
export const preferenceEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: "/api/account/preferences",
    access: "session",
    id: "readPreferences",
    summary: "Read the preferences",
    description:
      "Units, clock, first weekday and the cards of Trends, with defaults for what is not stored: `stored` names what " +
      "is. The page follows them. Figures of the API and of assistants are metric, and their clock times have 24 hours.",
    responses: { "200": success("The preferences", PreferencesResponseSchema) },
    handle:
      ({ context }) =>
      async ({ userId }) =>
      () =>
        readPreferences(context, userId),
  },
  {
    method: "PUT",
    path: "/api/account/preferences",
    access: "session",
    id: "writePreferences",
    summary: "Set preferences",
    description: "Stores the keys that are given, and leaves the others.",
    requestBody: jsonBody(PreferencesChangeSchema),
    responses: { "200": success("The preferences as they are now", PreferencesResponseSchema) },
    failures: ["invalidRequest"],
    handle:
      ({ context }) =>
      async ({ userId }, _reply, request) => {
        await savePreferences(context, userId, parseBody(request, PreferencesChangeSchema))
        return readPreferences(context, userId)
      },
  },
])
