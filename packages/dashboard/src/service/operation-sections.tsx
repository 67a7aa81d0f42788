import type { AccountResponse, ServiceResponse } from "@restwell/client"
import { useService } from "../api/service.ts"
import { Fact, Facts } from "../components/facts.tsx"
import { Loaded } from "../components/loaded.tsx"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { bytesText } from "../format/bytes.ts"
import { plural } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { sentence } from "../format/sentence.ts"
import { AddressForm } from "./address-form.tsx"
import { VendorAppDetails } from "./vendor-app.tsx"

/** Failures, vendors, address, backups, storage and versions of the installation. */
export const OperationSections = ({ account }: { account: AccountResponse }) => (
  <Loaded query={useService()} skeleton={<Skeleton className="h-64" label="Loading the state of the service" />}>
    {(service) => (
      <>
        <FailuresPanel service={service} />
        <VendorApps service={service} vendors={account.vendors} />
        <Panel title="Public address" description="Where people, vendors and assistants reach this service.">
          <AddressForm address={service.address} />
        </Panel>
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <StoragePanel storage={service.storage} />
          <div className="grid gap-4">
            <BackupPanel backup={service.backup} />
            <VersionsPanel versions={service.versions} />
          </div>
        </div>
      </>
    )}
  </Loaded>
)

function FailuresPanel({ service: { failures, unreadable_settings: unreadable } }: { service: ServiceResponse }) {
  const { connections, unreadable_connections: lost, rejected_records: rejected, waiting_syncs: waiting } = failures
  const isWell = connections.length === 0 && rejected === 0 && unreadable.length === 0
  return (
    <Panel title="Current failures" description="What needs somebody's attention. Health data is never shown here.">
      <div className="flex flex-col gap-3 text-sm">
        {isWell && <Notice tone="good">Everything works.</Notice>}
        {unreadable.length > 0 && (
          <Notice tone="poor" title="Stored settings cannot be decrypted">
            Restore the former secret, or enter them again: {unreadable.join(", ")}.
          </Notice>
        )}
        {lost > 0 && (
          <Notice tone="poor" title="Stored vendor tokens cannot be decrypted">
            Restore the former secret and restart, and {plural(lost, "connection")} will resume. Or let these people
            connect again.
          </Notice>
        )}
        {connections.length > 0 && (
          <ul className="flex flex-col gap-2">
            {connections.map(({ provider, status, reason, count }) => (
              <li key={`${provider} ${status} ${reason}`}>
                <span className="font-medium">
                  {providerName(provider)}: {plural(count, "connection")}
                </span>{" "}
                <span className="text-muted">{reason === null ? (STATUSES[status] ?? status) : sentence(reason)}</span>
              </li>
            ))}
          </ul>
        )}
        {rejected > 0 && <p>{plural(rejected, "record")} of vendors could not be read by this version.</p>}
        <p className="text-muted">{waiting === 0 ? "No sync is waiting." : `${plural(waiting, "sync")} waiting.`}</p>
      </div>
    </Panel>
  )
}

const STATUSES: Readonly<Record<string, string>> = {
  failing: "failing",
  reauthorization_required: "has to be reconnected by its person",
  vendor_unavailable: "the vendor is not responding",
}

/** The app of each vendor. */
export const VendorApps = ({
  service: { vendors: apps },
  vendors,
}: {
  service: ServiceResponse
  vendors: AccountResponse["vendors"]
}) => (
  <Panel title="Vendor apps" description="People connect their devices through your own app at each vendor.">
    <VendorAppList apps={apps} vendors={vendors} />
  </Panel>
)

export const VendorAppList = ({
  apps,
  vendors,
}: {
  apps: ServiceResponse["vendors"]
  vendors: AccountResponse["vendors"]
}) => (
  <div className="flex flex-col gap-3">
    {apps.map((app) => {
      const vendor = vendors.find(({ provider }) => provider === app.provider)
      return vendor && <VendorAppDetails key={app.provider} app={app} vendor={vendor} />
    })}
  </div>
)

const GROUPS = {
  records: "Health records",
  imports: "Imported archives",
  logs: "Logs",
  jobs: "Jobs",
  other: "Everything else",
} as const

const StoragePanel = ({ storage: { database_bytes, free_bytes, groups } }: Pick<ServiceResponse, "storage">) => (
  <Panel title="Storage">
    <Facts className="grid-cols-2">
      <Fact label="Database">{bytesText(database_bytes)}</Fact>
      {free_bytes !== null && <Fact label="Free on the disk">{bytesText(free_bytes)}</Fact>}
      {groups.map(({ group, bytes }) => (
        <Fact key={group} label={GROUPS[group]}>
          {bytesText(bytes)}
        </Fact>
      ))}
    </Facts>
  </Panel>
)

const BackupPanel = ({ backup: { last, failure, is_running } }: Pick<ServiceResponse, "backup">) => (
  <Panel title="Last backup">
    <div className="flex flex-col gap-2 text-sm">
      {failure && (
        <Notice tone="poor" title="The last backup failed">
          {sentence(failure.error ?? "it was interrupted")}
        </Notice>
      )}
      {last ? (
        <p>
          <span className="font-medium">
            <TimeAgo instant={last.started_at} />
          </span>
          , {bytesText(last.bytes ?? 0)}, <span className="break-all text-muted">{last.file}</span>
        </p>
      ) : (
        <p className="text-muted">
          None yet. Run <code className="text-text">restwell backup FILE</code>, or set BACKUP_DIR for a backup every
          day.
        </p>
      )}
      {is_running && <p className="text-muted">A backup is being written.</p>}
    </div>
  </Panel>
)

const VersionsPanel = ({ versions: { restwell, schema, postgresql, node } }: Pick<ServiceResponse, "versions">) => (
  <Panel title="Versions">
    <Facts className="grid-cols-2">
      <Fact label="Restwell">{restwell}</Fact>
      <Fact label="Schema">{schema}</Fact>
      <Fact label="PostgreSQL">{postgresql}</Fact>
      <Fact label="Node.js">{node}</Fact>
    </Facts>
  </Panel>
)
