import { recordSecurityEvent } from "../audit/security-events.ts"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { listAssistants } from "./list-assistants.ts"

/**
 * Removes an assistant with all its codes and tokens. Its next request is refused.
 * @param network the visitor's network @throws {NotFound}
 */
export async function revokeAssistant(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  assistantId: string,
  network?: string,
): Promise<void> {
  const assistant = (await listAssistants(context, userId)).find(({ id }) => id === assistantId)
  if (!assistant) throw new NotFound("you have no assistant with this id")
  await personTransaction(context.database, userId, async (transaction) => {
    for (const table of ["assistant", "oauth_record"] as const)
      await transaction
        .deleteFrom(table)
        .where("user_id", "=", userId)
        .where("client_id", "=", assistant.clientId)
        .execute()
    const event = { type: "assistant_revoked", detail: assistant.name, network } as const
    await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, event)
  })
}
