import { SourceSettingsResponseSchema, SourceSettingsSchema } from "@restwell/client"
import { InvalidRequest, readSourceSettings, writeSourcePreferences } from "@restwell/core"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { type AccountServices, expensive } from "./account-services.ts"

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
      ({ context }) =>
        async ({ userId }) =>
        () =>
          readSourceSettings(context, userId),
    ),
  },
  {
    method: "PUT",
    path: "/api/account/sources",
    access: "session",
    id: "writeSources",
    summary: "Set which sources are preferred",
    description:
      "Replaces the order of the types that are given, and all choices if there are any in the body. An empty list removes them. Every later " +
      "answer follows them; stored records do not change.",
    requestBody: jsonBody(SourceSettingsSchema),
    responses: { "200": success("The order, choices and differences", SourceSettingsResponseSchema) },
    failures: ["tooManyAtOnce"],
    handle: expensive(({ context }) => async ({ userId }, _reply, request) => {
      const parsed = SourceSettingsSchema.safeParse(request.body ?? {})
      if (!parsed.success) {
        const [issue] = parsed.error.issues
        const field = issue?.path.join(".") || "order"
        throw new InvalidRequest(`${field}: ${issue?.message ?? "is invalid"}`, field)
      }
      await writeSourcePreferences(context, userId, parsed.data)
      return readSourceSettings(context, userId)
    }),
  },
])
