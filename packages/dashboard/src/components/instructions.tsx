import { Tabs } from "@base-ui/react/tabs"
import type { Vendor } from "@restwell/client"
import type { ReactNode } from "react"
import { CodeBlock } from "./code-block.tsx"
import { Notice } from "./notice.tsx"

/** One tab: steps to follow, and text to copy. */
export interface StepTab {
  readonly name: string
  readonly steps: readonly string[]
  readonly code?: { readonly label: string; readonly text: string }
}

/** Alternative instructions, one per tab. */
export const StepTabs = ({ label, tabs }: { label: string; tabs: readonly StepTab[] }) => (
  <Tabs.Root defaultValue={tabs[0]?.name}>
    <Tabs.List className="flex gap-1 overflow-x-auto border-b border-line" aria-label={label}>
      {tabs.map(({ name }) => (
        <Tabs.Tab
          key={name}
          value={name}
          className="-mb-px min-h-9 shrink-0 max-sm:min-h-11 border-b-2 border-transparent px-3 text-sm text-muted data-active:border-text data-active:font-medium data-active:text-text"
        >
          {name}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {tabs.map(({ name, steps, code }) => (
      <Tabs.Panel key={name} value={name} className="flex flex-col gap-3 pt-4">
        <ol className={`flex flex-col gap-1 text-sm text-muted ${steps.length > 1 ? "list-decimal pl-5" : ""}`}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {code && <CodeBlock label={code.label} text={code.text} />}
      </Tabs.Panel>
    ))}
  </Tabs.Root>
)

const LINK = "text-accent underline underline-offset-2"

/** Every step of registering an app at a vendor that needs one, with what its form asks for. @param children the last step */
export function VendorSteps({ vendor, children }: { vendor: Vendor; children: ReactNode }) {
  const { provider, display_name: name, setup } = vendor
  if (setup === null) return null
  return (
    <>
      <p>
        The manual explains each step:{" "}
        <a href={`/docs/vendors#${provider}`} className={LINK} rel="noreferrer" target="_blank">
          setting up {name}
        </a>
        .
      </p>
      <ol className="flex list-decimal flex-col gap-4 pl-5 marker:font-medium marker:text-text">
        <li>
          Open{" "}
          <a href={`https://${setup.apps_page}`} className={`${LINK} break-all`} rel="noreferrer" target="_blank">
            {setup.apps_page}
          </a>
          .
        </li>
        {setup.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
        <Step text="Enter this redirect URL:">
          <CodeBlock label={`${name} redirect URL`} text={setup.redirect_url} />
        </Step>
        <Step text="Choose all of these scopes:">
          <ul aria-label={`${name} scopes`} className="flex flex-wrap gap-1.5">
            {setup.scopes.map((scope) => (
              <li key={scope} className="wrap-anywhere rounded-md bg-raised px-2 py-0.5 font-mono text-xs text-text">
                {scope}
              </li>
            ))}
          </ul>
        </Step>
        {setup.webhook_url !== null && <WebhookStep name={name} url={setup.webhook_url} note={setup.webhook_note} />}
        {children}
      </ol>
    </>
  )
}

/** Vendors send webhooks to https addresses only. */
const WebhookStep = ({ name, url, note }: { name: string; url: string; note: string | null }) =>
  url.startsWith("https://") ? (
    <Step text={`Add this webhook. ${note ?? ""} New data then arrives within seconds.`}>
      <CodeBlock label={`${name} webhook URL`} text={url} />
    </Step>
  ) : (
    <li>
      Leave the webhook empty: {name} sends webhooks to https addresses only. New data arrives within an hour. With an
      https address, this step shows the URL to add.
    </li>
  )

export const Step = ({ text, children }: { text: string; children: ReactNode }) => (
  <li>
    <p className="mb-2">{text}</p>
    {children}
  </li>
)

/** For a server that has no vendor's app credentials. @param stepsAt where the steps of each vendor are, and archives are uploaded */
export const NoVendorNotice = ({ stepsAt, isOwner }: { stepsAt: ReactNode; isOwner: boolean }) => (
  <Notice tone="fair" title="No vendor is set up on this server">
    {isOwner
      ? "Register an app with a vendor, and enter it on the page Service."
      : "The owner of this server registers an app with a vendor, on the page Service."}{" "}
    The steps of each vendor are {stepsAt}, where you can also upload an archive.
  </Notice>
)
