import {
  MOST_SOURCE_CHOICES,
  PreferencesChangeSchema,
  PreferencesResponseSchema,
  SourceSettingsResponseSchema,
  SourceSettingsSchema,
} from "@restwell/client"
import { InvalidRequest, readPreferences, savePreferences, writeSourcePreferences } from "@restwell/core"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody } from "../plumbing/requests.ts"
import { type AccountServices, expensive, sendComputed } from "./account.ts"

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
      "is. The page, and texts and charts for assistants, follow them. Figures of the API and structured results of " +
      "assistants' tools are metric, and their clock times have 24 hours.",
    responses: { "200": success("The preferences", PreferencesResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      () =>
        readPreferences(context, userId),
  },
  {
    method: "PUT",
    path: "/api/account/preferences",
    access: "session",
    id: "writePreferences",
    summary: "Set preferences",
    description:
      "Stores the keys that are given, and leaves the others. With `suggested`, only keys that are not stored yet.",
    requestBody: jsonBody(PreferencesChangeSchema),
    responses: { "200": success("The preferences as they are now", PreferencesResponseSchema) },
    failures: ["invalidRequest"],
    handle: async ({ context }, { session: { userId }, request }) => {
      await savePreferences(context, userId, parseBody(request, PreferencesChangeSchema))
      return readPreferences(context, userId)
    },
  },
])

/** As `{"type": "recovery", "date": "2026-11-19", "source": "sleep_as_android"}, `, and room for the order of each type. */
const BYTES_OF_CHOICE = 80

/** Which sources a person prefers. */
export const sourceEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: "/api/account/sources",
    access: "session",
    id: "readSources",
    summary: "Read which sources are preferred",
    description:
      "The order of sources by type, the choices for single dates, and the newest dates on which two sources differ.",
    responses: { "200": success("The order, choices and differences", SourceSettingsResponseSchema) },
    failures: ["tooManyAtOnce"],
    handle: expensive(
      async ({ context: { clock }, statistics }, { session: { userId }, reply }) =>
        async () =>
          sendComputed(reply, await statistics(userId, { kind: "sources", userId, now: clock.now() })),
    ),
  },
  {
    method: "PUT",
    path: "/api/account/sources",
    access: "session",
    id: "writeSources",
    mostBodyBytes: MOST_SOURCE_CHOICES * BYTES_OF_CHOICE,
    summary: "Set which sources are preferred",
    description:
      "Replaces the order of the types that are given, and all choices if there are any in the body. An empty list removes them. Every later " +
      "answer follows them; stored records do not change.",
    requestBody: jsonBody(SourceSettingsSchema),
    responses: { "200": success("The order, choices and differences", SourceSettingsResponseSchema) },
    failures: ["tooManyAtOnce"],
    handle: expensive(async ({ context, statistics }, { session: { userId }, request, reply }) => {
      const parsed = SourceSettingsSchema.safeParse(request.body ?? {})
      if (!parsed.success) {
        const [issue] = parsed.error.issues
        const field = issue?.path.join(".") || "order"
        throw new InvalidRequest(`${field}: ${issue?.message ?? "is invalid"}`, field)
      }
      await writeSourcePreferences(context, userId, parsed.data)
      return sendComputed(reply, await statistics(userId, { kind: "sources", userId, now: context.clock.now() }))
    }),
  },
])
