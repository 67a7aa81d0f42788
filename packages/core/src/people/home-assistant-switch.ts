/** Whether a person is published to Home Assistant. */
import { randomBytes } from "node:crypto"
import type { Context } from "../context/context.ts"

/** Bytes of a device's name: 4 billion of them, for the people of one house. */
const DEVICE_BYTES = 4

/**
 * Switches the publication of a person on or off, in the caller's transaction if `database` is one. What is published is requested with it, and
 * so is the removal of what is retained at the broker.
 */
export async function setHomeAssistant(
  { database }: { readonly database: Context["database"] },
  userId: string,
  isOn: boolean,
): Promise<void> {
  if (!isOn) {
    await database.deleteFrom("home_assistant").where("user_id", "=", userId).execute()
    return
  }
  await database
    .insertInto("home_assistant")
    .values({ user_id: userId, device: randomBytes(DEVICE_BYTES).toString("hex"), figures: "[]", history_months: "{}" })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute()
}
