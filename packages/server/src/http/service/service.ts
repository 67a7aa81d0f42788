import { dirname, resolve } from "node:path"
import { type ServiceResponse, ServiceResponseSchema } from "@restwell/client"
import { sourceName } from "@restwell/client/figures"
import { type BackupEntry, othersCan, readOperation, UNREADABLE_REASON } from "@restwell/core"
import { VENDOR_LIST } from "@restwell/providers"
import type { EffectiveSettings } from "../../config/live-settings.ts"
import { success } from "../../openapi/responses.ts"
import { defineEndpoints, type SessionHandler } from "../plumbing/endpoint.ts"
import { presentHomeAssistant } from "./home-assistant.ts"
import type { OperationServices } from "./settings.ts"

/** GET /api/service: how the installation is doing. It contains no credential, no name and no measurement. */
const readService: SessionHandler<OperationServices> =
  async ({ context, live, disk, config }) =>
  async (): Promise<ServiceResponse> => {
    const [operation, freeBytes, diskState] = await Promise.all([
      readOperation(context),
      disk.freeBytes(),
      disk.state(),
    ])
    const effective = live.current()
    const { baseUrl, addressSource, vendorSources, unreadable } = effective
    const { backups, failures } = operation
    return {
      address: { value: baseUrl, source: addressSource },
      vendors: VENDOR_LIST.flatMap(([provider, vendor]) =>
        vendor.access === "key"
          ? []
          : [
              {
                provider,
                display_name: sourceName(provider),
                source: vendorSources.get(provider) ?? null,
                has_portals: vendor.formerAppsPage !== undefined,
              },
            ],
      ),
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
        free_bytes: freeBytes ?? null,
        disk: diskState ?? null,
        groups: operation.storage.map(({ group, bytes }) => ({ group, bytes })),
      },
      ...presentSettings(effective, operation.mailFailures),
      home_assistant: await presentHomeAssistant(context, effective),
      backup: {
        ...presentSchedule(effective, config.dataDir),
        last: await presentBackup(backups.last),
        failure: await presentBackup(backups.failure),
        // Nobody begins one without a folder.
        is_running: backups.isRunning && effective.backup !== undefined,
      },
      failures: {
        connections: failures.map(({ provider, status, reason, count }) => ({ provider, status, reason, count })),
        unreadable_connections: failures.reduce(
          (sum, { reason, count }) => sum + (reason === UNREADABLE_REASON ? count : 0),
          0,
        ),
        rejected_records: operation.rejectedRecords,
        left_out_fields: operation.leftOutFields.map(({ provider, kind, field, count }) => ({
          provider,
          kind,
          field,
          count,
        })),
        waiting_syncs: operation.waitingSyncs,
      },
    }
  }

/** Sign-ups and email. Where environment variables set email, nothing of it is displayed. */
function presentSettings({ signUp, mail, privateHosts, operationSources }: EffectiveSettings, failures: number) {
  const source = operationSources.get("SMTP_URL") ?? null
  const shown = source === "page" ? mail : undefined
  return {
    sign_up: { value: signUp, source: operationSources.get("SIGN_UP") ?? null },
    private_hosts: { value: privateHosts, source: operationSources.get("ALLOWED_PRIVATE_HOSTS") ?? null },
    mail: {
      source,
      server: shown ? new URL(shown.smtpUrl).host : null,
      from: shown ? `${shown.from.name} <${shown.from.address}>` : null,
      failures,
    },
    environment: [...operationSources].flatMap(([name, from]) => (from === "environment" ? [name] : [])),
  }
}

const presentSchedule = ({ backup, operationSources }: EffectiveSettings, dataDir: string) => ({
  schedule: backup
    ? { folder: backup.directory, keep: backup.keep, every_hours: backup.everyHours, has_secret: backup.hasSecret }
    : null,
  source: operationSources.get("BACKUP_DIR") ?? null,
  // Beside DATA_DIR: deleting or moving that folder does not lose the backups with it.
  suggested_folder: resolve(dataDir, "..", "backups"),
})

const presentBackup = async (backup: BackupEntry | null) =>
  backup && {
    started_at: backup.startedAt.toISOString(),
    file: backup.file,
    bytes: backup.bytes,
    error: backup.error,
    others_can: (await othersCan(dirname(backup.file))) ?? null,
  }

/** The state of the installation, for its owner. */
export const serviceEndpoints = defineEndpoints<OperationServices>("Service", [
  {
    method: "GET",
    path: "/api/service",
    access: "owner",
    id: "readService",
    summary: "Read the state of the installation",
    description: "For the owner: settings without their values, versions, storage, backups and failures.",
    responses: { "200": success("The state", ServiceResponseSchema) },
    handle: readService,
  },
])
