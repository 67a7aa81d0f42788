import { type AccountResponse, DELIVERIES, type Delivery } from "@restwell/client"
import { capitalized } from "@restwell/client/figures"
import { type ReactNode, useEffect, useState } from "react"
import { Link } from "wouter"
import { hasSeveralSources, useAccount } from "../api/account.ts"
import { outcomeOf } from "../components/connection-notice.tsx"
import { NoVendorNotice } from "../components/instructions.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page, Panel } from "../components/page.tsx"
import { AccessLogPanel, AssistantsPanel } from "../connections/access-panels.tsx"
import { ConnectionPanel, DELIVERY_NAMES, VendorPanel } from "../connections/connection-panel.tsx"
import { ImportsPanel } from "../connections/imports-panel.tsx"
import { PushPanel } from "../connections/push-panel.tsx"
import { isPublic } from "../service/public-address.tsx"

export default function ConnectionsPage() {
  const [outcome] = useState(() => outcomeOf(window.location.search))
  // Removes the outcome from the URL, so that a reload or a bookmark does not repeat it.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), [])
  return (
    <Page title="Connections" subtitle="Your data sources, and who can read your data.">
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-48" label="Loading your connections" />}>
        {(account) => (
          <>
            <Sources account={account} />
            <AssistantsPanel account={account} />
            <AccessLogPanel />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The person's connections and archives, then every way to add data. Vendors that can be connected come first. */
function Sources({ account }: { account: AccountResponse }) {
  const { connections, vendors } = account
  const others = vendors.filter(({ provider }) => !connections.some((each) => each.provider === provider))
  return (
    <>
      {vendors.every(({ setup, is_set_up }) => setup === null || !is_set_up) && <NoVendorNotice stepsAt="below" />}
      {connections.map((connection) => (
        <ConnectionPanel key={connection.provider} connection={connection} account={account} />
      ))}
      {hasSeveralSources(account) && (
        <p className="px-1 text-sm text-muted">
          Some days are recorded by more than one of them.{" "}
          <Link href="/sources" className="text-accent underline underline-offset-2">
            Choose between sources
          </Link>
        </p>
      )}
      <AddDataPanel account={account} vendors={others} />
      {others.length > 0 && (
        <WaySection id="connect">
          {others
            .toSorted((one, other) => Number(other.is_set_up) - Number(one.is_set_up))
            .map((vendor) => (
              <VendorPanel key={vendor.provider} vendor={vendor} isOwner={account.is_owner} />
            ))}
        </WaySection>
      )}
      <WaySection id="archives">
        <ImportsPanel account={account} />
      </WaySection>
      <WaySection id="push">
        <PushPanel />
      </WaySection>
    </>
  )
}

/** What a link of "Add data" leads to. The bar of a phone covers nothing of it. */
const WaySection = ({ id, children }: { id: string; children: ReactNode }) => (
  <div id={id} className="flex scroll-mt-4 flex-col gap-4">
    {children}
  </div>
)

/** One way to bring data: which sources it is for, what comes and what does not, and when. */
interface Way {
  readonly id: string
  readonly name: string
  readonly sources: readonly string[]
  readonly brings: string
  readonly lacks: string
  readonly takes: string
}

interface AddDataProps {
  readonly account: AccountResponse
  /** Those that are not connected. */
  readonly vendors: AccountResponse["vendors"]
}

/** The ways to add data, beside each other. The panels of each follow below. */
const AddDataPanel = ({ account, vendors }: AddDataProps) => (
  <Panel title="Add data" description="You can use several ways together. A day that two of them have is shown once.">
    <ul className="grid gap-4 lg:grid-flow-col lg:auto-cols-fr">
      {waysOf(account, vendors).map(({ id, name, sources, brings, lacks, takes }) => (
        <li key={id} className="flex flex-col gap-2 rounded-xl border border-line p-4 text-sm">
          <h3>
            <a href={`#${id}`} className="font-medium underline underline-offset-2">
              {name}
            </a>
          </h3>
          <p className="text-muted">{sources.join(", ")}</p>
          <dl className="flex flex-col gap-1.5">
            <Row term="Brings" text={brings} />
            <Row term="Does not bring" text={lacks} />
            <Row term="Takes" text={takes} />
          </dl>
        </li>
      ))}
    </ul>
  </Panel>
)

const Row = ({ term, text }: { term: string; text: string }) => (
  <div>
    <dt className="font-medium">{term}</dt>
    <dd className="text-muted">{text}</dd>
  </div>
)

function waysOf({ archives, address }: AccountResponse, vendors: AddDataProps["vendors"]): readonly Way[] {
  const ways: (Way | false)[] = [
    vendors.length > 0 && {
      id: "connect",
      name: "Connect a vendor",
      sources: vendors.map(({ display_name: name }) => name),
      brings: "Your whole history, and each new day by itself.",
      lacks: listed(lackedBy(vendors)),
      takes: isPublic(address)
        ? "The newest days take a minute, the history up to hours. New data arrives within seconds or minutes."
        : "The newest days take a minute, the history up to hours. New data arrives within the hour, because vendors cannot reach this address to announce it.",
    },
    {
      id: "archives",
      name: "Upload an archive",
      sources: archives.map(({ display_name: name }) => name),
      brings: "Your history until the day of the file, and your journal where the file has one.",
      lacks: "Days after the file. Upload a newer one for them: nothing is stored twice.",
      takes: "The vendor sends the file within minutes, or days. Reading it takes seconds to minutes.",
    },
    {
      id: "push",
      name: "Push from a phone",
      sources: ["Apple Health", "Health Connect", "Shortcuts", "Tasker"],
      brings: "Each value that a program on the phone sends, also of watches that only the phone knows.",
      lacks: "Scores of vendors, such as recovery and strain, and days before the first push.",
      takes: "Minutes to set up, with a token. After that, as often as the phone sends.",
    },
  ]
  return ways.filter((way) => way !== false)
}

/** What none of the sources delivers. */
const lackedBy = (sources: readonly { readonly delivers: readonly Delivery[] }[]): readonly Delivery[] =>
  DELIVERIES.filter((delivery) => sources.every(({ delivers }) => !delivers.includes(delivery)))

/** "Strain and weight.", or that all is there. */
const listed = (deliveries: readonly Delivery[]): string =>
  deliveries.length === 0
    ? "What one vendor does not measure. Each lists it below."
    : `${capitalized(new Intl.ListFormat("en").format(deliveries.map((delivery) => DELIVERY_NAMES[delivery].toLowerCase())))}.`
