import { SourceSettingsSchema } from "@restwell/client"
import { type Context, InvalidRequest, readSourceSettings, writePreferences } from "@restwell/core"
import type { SessionHandler } from "../plumbing/session.ts"

/** GET /api/account/sources: the order by type, the choices for dates, and the dates on which sources differ. */
export const readSourcesHandler =
  (context: Context): SessionHandler =>
  async ({ userId }) =>
    readSourceSettings(context, userId)

/** PUT /api/account/sources. It replaces the keys that it has, and answers as GET does. */
export const writeSourcesHandler =
  (context: Context): SessionHandler =>
  async ({ userId }, _reply, request) => {
    const parsed = SourceSettingsSchema.safeParse(request.body ?? {})
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const field = issue?.path.join(".") || "order"
      throw new InvalidRequest(`${field}: ${issue?.message ?? "is invalid"}`, field)
    }
    await writePreferences(context, userId, parsed.data)
    return readSourceSettings(context, userId)
  }
