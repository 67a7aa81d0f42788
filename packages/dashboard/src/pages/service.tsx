import type { AccountResponse, ServiceResponse, Vendor } from "@restwell/client"
import { Check } from "lucide-react"
import { useState } from "react"
import { useAccount } from "../api/account.ts"
import { usePeople, useService } from "../api/service.ts"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Disclosure, Fact, Facts, Page, Panel } from "../components/page.tsx"
import { bytesText } from "../format/number.ts"
import { AddressForm } from "../service/address-form.tsx"
import { AppForm } from "../service/app-form.tsx"
import { BackupPanel } from "../service/backup-panel.tsx"
import { HealthPanel } from "../service/health-panel.tsx"
import { HomeAssistantPanel } from "../service/home-assistant-panel.tsx"
import { InvitationsPanel } from "../service/invitations-panel.tsx"
import { MailPanel } from "../service/mail-panel.tsx"
import { PeoplePanel } from "../service/people-panel.tsx"
import { PrivateHostsPanel } from "../service/private-hosts-panel.tsx"

/** What the owner of this installation looks after. */
export default function ServicePage() {
  return (
    <Page title="Service" subtitle="This installation, for its owner.">
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-64" label="Loading your account" />}>
        {(account) =>
          account.is_owner ? (
            <OperationSections account={account} />
          ) : (
            <Notice title="Only the owner of this server can open this page.">
              The owner is the person who has set this Restwell up.
            </Notice>
          )
        }
      </Loaded>
    </Page>
  )
}

type App = ServiceResponse["vendors"][number]

const STATES = { environment: "Set by environment variables", page: "Set up" } as const

/** The app at one vendor: addresses to copy, and credentials to paste. No credential ever comes back to the page. */
const VendorAppDetails = ({ app, vendor, isOpen = false }: { app: App; vendor: Vendor; isOpen?: boolean }) => (
  <Disclosure
    className="rounded-xl border border-line"
    summaryClass="min-h-12 rounded-xl px-4 text-muted hover:bg-raised"
    isOpen={isOpen}
    summary={
      <>
        <span className="flex-1 text-[0.9375rem] font-medium text-text">{app.display_name}</span>
        <span className={`flex items-center gap-1.5 ${app.source === null ? "text-muted" : "text-good"}`}>
          {app.source !== null && <Check size={14} aria-hidden="true" className="shrink-0" />}
          {app.source === null ? "Not set up" : STATES[app.source]}
        </span>
      </>
    }
  >
    <div className="flex flex-col gap-4 border-t border-line p-4 text-sm text-muted">
      {app.source === "environment" ? (
        <p>Set by environment variables: {vendor.setup?.settings.join(" and ")} take precedence over this page.</p>
      ) : (
        <AppForm app={app} vendor={vendor} />
      )}
    </div>
  </Disclosure>
)

/** The people of this installation, their invitations, and email. */
function PeopleSections({ service, account }: { service: ServiceResponse; account: AccountResponse }) {
  const [search, setSearch] = useState("")
  // Where one person is alone, a plan means nothing.
  const hasPlans = service.people > 1
  return (
    <Loaded query={usePeople(search)} skeleton={<Skeleton className="h-64" label="Loading the people" />}>
      {(data) => (
        <>
          <PeoplePanel
            people={data.people}
            hasMore={data.has_more}
            hasPlans={hasPlans}
            signIn={account.sign_in}
            search={search}
            onSearch={setSearch}
          />
          <InvitationsPanel
            invitations={data.invitations}
            canSend={data.mail.is_set_up}
            hasPlans={hasPlans}
            signUp={service.sign_up}
            address={account.address}
          />
          <MailPanel settings={service.mail} state={data.mail} />
        </>
      )}
    </Loaded>
  )
}

/** Everything that the owner looks after: health, vendors, address, people, email, backups, storage and versions. */
const OperationSections = ({ account }: { account: AccountResponse }) => (
  <Loaded query={useService()} skeleton={<Skeleton className="h-64" label="Loading the state of the service" />}>
    {(service) => (
      <>
        <HealthPanel service={service} />
        <VendorApps service={service} vendors={account.vendors} />
        <Panel title="Public address" description="Where people, vendors and assistants reach this service.">
          <AddressForm address={service.address} />
        </Panel>
        <PeopleSections service={service} account={account} />
        <PrivateHostsPanel settings={service.private_hosts} />
        <HomeAssistantPanel settings={service.home_assistant} />
        <BackupPanel backup={service.backup} environment={service.environment} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <StoragePanel storage={service.storage} />
          <VersionsPanel versions={service.versions} />
        </div>
      </>
    )}
  </Loaded>
)

/** The app of each vendor. */
const VendorApps = ({
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

const VendorAppList = ({
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

const StoragePanel = ({ storage: { database_bytes, free_bytes, disk, groups } }: Pick<ServiceResponse, "storage">) => (
  <Panel title="Storage">
    {(disk === "low" || disk === "full") && (
      <Notice tone="poor" title={disk === "full" ? "The disk is full" : "The disk is nearly full"}>
        Uploads, imports and syncs wait. Free some space: they go on by themselves.
      </Notice>
    )}
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
