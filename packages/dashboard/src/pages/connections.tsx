import type { AccountResponse } from "@restwell/client"
import { useEffect, useState } from "react"
import { Link } from "wouter"
import { hasSeveralSources, useAccount } from "../api/account.ts"
import { outcomeOf } from "../components/connection-notice.tsx"
import { NoVendorNotice } from "../components/instructions.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { ConnectionLine, VendorLine } from "../connections/connection-panel.tsx"
import { DeviceLine, DeviceList } from "../connections/device-line.tsx"
import { Archives } from "../connections/imports-panel.tsx"
import { PushTokens } from "../connections/push-panel.tsx"
import { isPublic } from "../format/address-reach.ts"
import { WithMainDeviceQuestion } from "../sources/main-device-question.tsx"

export default function ConnectionsPage() {
  const [outcome] = useState(() => outcomeOf(window.location.search))
  // Removes the outcome from the URL, so that a reload or a bookmark does not repeat it. A device may be linked to.
  useEffect(() => {
    const { pathname, hash } = window.location
    window.history.replaceState(null, "", `${pathname}${hash}`)
  }, [])
  return (
    <Page title="Connections" subtitle="Your devices, and what each of them brings.">
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <Loaded query={useAccount()} skeleton={SKELETON}>
        {(account) => (
          <WithMainDeviceQuestion account={account} skeleton={SKELETON}>
            <Devices account={account} />
          </WithMainDeviceQuestion>
        )}
      </Loaded>
    </Page>
  )
}

const SKELETON = <Skeleton className="h-[70vh]" label="Loading your connections" />

const LINK = "text-accent underline underline-offset-2"

/** The person's devices, then every way to add one. Vendors that can be connected come first. */
function Devices({ account }: { account: AccountResponse }) {
  const { connections, vendors } = account
  const [before] = useState(() => connections.map(({ provider }) => provider))
  const added = connections.map(({ provider }) => provider).filter((provider) => !before.includes(provider))
  const others = vendors.filter(({ provider }) => !connections.some((each) => each.provider === provider))
  return (
    <>
      {vendors.every(({ setup, is_set_up }) => setup === null || !is_set_up) && (
        <NoVendorNotice stepsAt="below, and on the page Service" isOwner={account.is_owner} />
      )}
      {connections.length > 0 && (
        <DeviceList title="Your devices" description={descriptionOf(account)}>
          {connections.map((connection) => (
            <ConnectionLine
              key={connection.provider}
              connection={connection}
              account={account}
              isOpen={
                connections.length === 1 ||
                added.includes(connection.provider) ||
                NEEDS_ATTENTION.includes(connection.status) ||
                connection.gaps.length > 0
              }
            />
          ))}
        </DeviceList>
      )}
      {hasSeveralSources(account) && (
        <p className="px-1 text-sm text-muted">
          Some days are recorded by more than one of them.{" "}
          <Link href="/sources" className={LINK}>
            Choose between sources
          </Link>
        </p>
      )}
      <DeviceList
        title="Add data"
        description="You can use several ways together. A day that two of them have is shown once."
      >
        {others
          .toSorted((one, other) => Number(other.is_set_up) - Number(one.is_set_up))
          .map((vendor) => (
            <VendorLine key={vendor.provider} vendor={vendor} isOwner={account.is_owner} />
          ))}
        <ArchivesLine account={account} added={added} />
        <PushLine />
      </DeviceList>
      <p className="px-1 text-sm text-muted">
        <Link href="/access" className={LINK}>
          Who reads your data
        </Link>{" "}
        has assistants, the connector's address and the access log.
      </p>
    </>
  )
}

const NEEDS_ATTENTION: readonly AccountResponse["connections"][number]["status"][] = [
  "syncing",
  "failing",
  "vendor_unavailable",
  "reauthorization_required",
]

/** When new days come. */
const descriptionOf = ({ address }: AccountResponse): string =>
  isPublic(address)
    ? "New data of a connection arrives within seconds or minutes."
    : "New data of a connection arrives within the hour, because vendors cannot reach this address to announce it."

/** @param added sources that came since the page was opened, which show their own imports */
const ArchivesLine = ({ account, added }: { account: AccountResponse; added: readonly string[] }) => (
  <DeviceLine id="archives" name="Upload an archive" state="Your history">
    <p className="text-sm text-muted">
      Brings your history until the day of the file, and your journal where the file has one. Days that are already
      synced are not changed. Reading it takes seconds to minutes.
    </p>
    <Archives account={account} added={added} />
  </DeviceLine>
)

const PushLine = () => (
  <DeviceLine id="push" name="Push from a phone" state="New days">
    <p className="text-sm text-muted">
      A program on your phone sends what the phone knows, also of watches that only the phone knows. No vendor has to
      allow it. It has no scores of vendors, such as recovery and strain, and no days before the first push. A token can
      only send: it reads nothing.
    </p>
    <PushTokens />
  </DeviceLine>
)
