import { createHash } from "node:crypto"
import type { Context } from "../context/context.ts"
import type { AllowedAssistant } from "./allow-assistant.ts"
import { isHealthScope } from "./health-scopes.ts"

export interface ListedAssistant extends AllowedAssistant {
  /** What it is named by in addresses: a client's own id may be an address itself. */
  readonly id: string
  readonly connectedAt: Date
  readonly lastReadAt: Date | null
}

/** The assistants that a person allowed to read, the newest first. */
export async function listAssistants(
  { database }: Pick<Context, "database">,
  userId: string,
): Promise<ListedAssistant[]> {
  const rows = await database
    .selectFrom("assistant")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("connected_at", "desc")
    .orderBy("client_id")
    .execute()
  return rows.map((row) => ({
    id: assistantIdOf(row.client_id),
    clientId: row.client_id,
    name: row.name,
    verifiedHost: row.verified_host,
    redirectHost: row.redirect_host,
    scopes: row.scopes.filter(isHealthScope),
    declined: row.declined.filter(isHealthScope),
    days: row.days,
    connectedAt: row.connected_at,
    lastReadAt: row.last_read_at,
  }))
}

export const assistantIdOf = (clientId: string): string =>
  createHash("sha256").update(clientId).digest("base64url").slice(0, 22)
