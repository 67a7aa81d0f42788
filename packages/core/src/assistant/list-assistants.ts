import { createHash } from "node:crypto"
import type { Context } from "../context/context.ts"
import type { AllowedAssistant } from "./allow-assistant.ts"
import { isHealthScope } from "./health-scopes.ts"

export interface ListedAssistant extends AllowedAssistant {
  /** Used in paths instead of the client id, which may be a URL. */
  readonly id: string
  readonly connectedAt: Date
  readonly lastReadAt: Date | null
}

/** The assistants that may read a person's data, newest first. */
export async function listAssistants(
  { database }: Pick<Context, "database">,
  userId: string,
): Promise<ListedAssistant[]> {
  const rows = await database
    .selectFrom("assistant")
    .select(["client_id as clientId", "name", "verified_host as verifiedHost", "redirect_host as redirectHost"])
    .select(["scopes", "declined", "days", "connected_at as connectedAt", "last_read_at as lastReadAt"])
    .where("user_id", "=", userId)
    .orderBy("connected_at", "desc")
    .orderBy("client_id")
    .execute()
  return rows.map((row) => ({
    ...row,
    id: assistantIdOf(row.clientId),
    scopes: row.scopes.filter(isHealthScope),
    declined: row.declined.filter(isHealthScope),
  }))
}

const assistantIdOf = (clientId: string): string =>
  createHash("sha256").update(clientId).digest("base64url").slice(0, 22)
