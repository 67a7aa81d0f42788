// Changes what a person wants to be told.
import type { NotificationsChange } from "@restwell/client"
import type { Context } from "../context/context.ts"
import { saveNotifications } from "../people/notification-settings.ts"
import { type NotifyContext, noteScored, readMornings, TOLD_DAYS } from "./mornings.ts"

/**
 * Stores the parts that are given. A morning that is scored by now is noted before the change, which counts from now on: it says nothing of
 * that morning. @throws {InvalidRequest} that names the field
 */
export async function changeNotifications(
  context: NotifyContext & Pick<Context, "cipher">,
  userId: string,
  change: NotificationsChange,
): Promise<void> {
  const mornings = await readMornings(context, { userId, days: TOLD_DAYS, rules: [] })
  if (mornings) await noteScored(context, userId, mornings)
  await saveNotifications(context, userId, change)
}
