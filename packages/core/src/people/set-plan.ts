import { recordSecurityEvent } from "../audit/security-events.ts"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import type { Plan } from "../quota/plans.ts"
import { personTransaction } from "../store/person-transaction.ts"

export const NO_PERSON = "there is no account with this id"

/** Changes how many requests a person has in a month, from the next request on. @throws {NotFound} */
export async function setPlan(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  plan: Plan,
): Promise<void> {
  await personTransaction(database, userId, async (transaction) => {
    const person = await transaction
      .selectFrom("person")
      .select("plan")
      .where("user_id", "=", userId)
      .forUpdate()
      .executeTakeFirst()
    if (!person) throw new NotFound(NO_PERSON)
    if (person.plan === plan) return
    await transaction.updateTable("person").set({ plan }).where("user_id", "=", userId).execute()
    const detail = `${person.plan} -> ${plan}`
    await recordSecurityEvent({ database: transaction, clock }, userId, { type: "plan_changed", detail })
  })
}
