import type { Source } from "@restwell/client"
import type { HealthSource } from "../store/read-health.ts"

/** A source as every answer has it. */
export const presentSource = ({ provider, status, lastSyncedAt }: HealthSource): Source => ({
  provider,
  status,
  last_synced_at: lastSyncedAt?.toISOString() ?? null,
})
