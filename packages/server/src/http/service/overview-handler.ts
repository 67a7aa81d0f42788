import { statfs } from "node:fs/promises"
import type { ServiceResponse } from "@restwell/client"
import { type BackupEntry, readOperation, UNREADABLE_REASON } from "@restwell/core"
import { VENDORS, type Vendor } from "@restwell/providers"
import type { SessionHandler } from "../plumbing/session.ts"
import type { OperationServices } from "./operation-services.ts"

/** GET /api/service: how the installation is doing. It contains no credential, no name and no measurement. */
export const readServiceHandler =
  ({ context, live, config }: OperationServices): SessionHandler =>
  async (): Promise<ServiceResponse> => {
    const [operation, freeBytes] = await Promise.all([readOperation(context), freeSpace(config)])
    const { baseUrl, addressSource, vendorSources, unreadable } = live.current()
    const vendors: readonly (readonly [string, Vendor])[] = Object.entries(VENDORS)
    const { backups, failures } = operation
    return {
      address: { value: baseUrl, source: addressSource },
      vendors: vendors.map(([provider, { displayName, hasLegacyPortal }]) => ({
        provider,
        display_name: displayName,
        source: vendorSources.get(provider) ?? null,
        has_portals: hasLegacyPortal,
      })),
      unreadable_settings: [...unreadable],
      versions: {
        restwell: context.version,
        schema: operation.schemaVersion,
        postgresql: operation.postgresVersion,
        node: process.versions.node,
      },
      people: operation.people,
      storage: {
        database_bytes: operation.databaseBytes,
        free_bytes: freeBytes,
        groups: operation.storage.map(({ group, bytes }) => ({ group, bytes })),
      },
      backup: {
        last: presentBackup(backups.last),
        failure: presentBackup(backups.failure),
        is_running: backups.running !== null,
      },
      failures: {
        connections: failures.map(({ provider, status, reason, count }) => ({ provider, status, reason, count })),
        unreadable_connections: failures.reduce(
          (sum, { reason, count }) => sum + (reason === UNREADABLE_REASON ? count : 0),
          0,
        ),
        rejected_records: operation.rejectedRecords,
        waiting_syncs: operation.waitingSyncs,
      },
    }
  }

const presentBackup = (backup: BackupEntry | null) =>
  backup && {
    started_at: backup.startedAt.toISOString(),
    file: backup.file,
    bytes: backup.bytes,
    error: backup.error,
  }

/** Free space where the embedded database is. */
async function freeSpace({ databaseUrl, dataDir }: OperationServices["config"]): Promise<number | null> {
  if (databaseUrl !== undefined) return null
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize
}
