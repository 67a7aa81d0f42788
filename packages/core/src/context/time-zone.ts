import type { TimeZone } from "../base/calendar.ts"
import type { Context } from "./context.ts"
import { accountGone } from "./errors.ts"

/** The clock that the person's days are counted by. */
export function readTimeZone({ database }: Pick<Context, "database">, userId: string): Promise<TimeZone> {
  return database
    .selectFrom("person")
    .select(["utc_offset_minutes as utcOffsetMinutes", "time_zone as timeZone"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow(accountGone)
}
