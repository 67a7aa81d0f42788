import type { ServiceResponse, Vendor } from "@restwell/client"
import { Check, ChevronRight } from "lucide-react"
import { useRemoveVendorApp, useSetVendorApp } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { fieldError, isFieldError } from "../components/field-error.ts"
import { Form, useFields } from "../components/form.tsx"
import { Notice } from "../components/notice.tsx"
import { Select } from "../components/select.tsx"
import { TextField } from "../components/text-field.tsx"

type App = ServiceResponse["vendors"][number]

const STATES = { environment: "Set in the environment", page: "Set up" } as const
const EMPTY = { client_id: "", client_secret: "", portal: "current" } as const

/** The app at one vendor: addresses to copy, and credentials to paste. No credential ever comes back to the page. */
export const VendorAppDetails = ({ app, vendor, isOpen = false }: { app: App; vendor: Vendor; isOpen?: boolean }) => (
  <details className="group rounded-xl border border-line" open={isOpen}>
    <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 rounded-xl px-4 py-2 hover:bg-raised">
      <ChevronRight
        size={16}
        aria-hidden="true"
        className="shrink-0 text-muted transition-transform group-open:rotate-90"
      />
      <span className="flex-1 font-medium text-text">{app.display_name}</span>
      <span className={`flex items-center gap-1.5 text-sm ${app.source === null ? "text-muted" : "text-good"}`}>
        {app.source !== null && <Check size={14} aria-hidden="true" />}
        {app.source === null ? "Not set up" : STATES[app.source]}
      </span>
    </summary>
    <div className="flex flex-col gap-4 border-t border-line p-4 text-sm text-muted">
      {app.source === "environment" ? (
        <p>
          {vendor.setup.settings.join(" and ")} in the environment set this app. They take precedence over this page.
        </p>
      ) : (
        <AppForm app={app} vendor={vendor} />
      )}
    </div>
  </details>
)

function AppForm({
  app: { provider, display_name: name, source, has_portals },
  vendor: { setup },
}: {
  app: App
  vendor: Vendor
}) {
  const change = useSetVendorApp(provider)
  const remove = useRemoveVendorApp(provider)
  const { values, field, reset } = useFields<keyof typeof EMPTY>(EMPTY)
  const submit = () => {
    const { client_id, client_secret } = values
    const portal = values.portal === "legacy" ? "legacy" : "current"
    change.mutate({ client_id, client_secret, ...(has_portals && { portal }) }, { onSuccess: reset })
  }
  const text = (key: "client_id" | "client_secret") => ({
    ...field(key),
    required: true,
    autoComplete: "off",
    spellCheck: false,
    error: fieldError(change.error, key),
  })
  return (
    <>
      <p>
        1. Register an app at{" "}
        <a
          href={`https://${setup.apps_page}`}
          className="text-accent underline underline-offset-2"
          rel="noreferrer"
          target="_blank"
        >
          {setup.apps_page}
        </a>
        , with this redirect URL:
      </p>
      <CodeBlock label={`${name} redirect URL`} text={setup.redirect_url} />
      {setup.webhook_url !== null && (
        <>
          <p>
            If the internet reaches your public address, add this webhook too. New data then arrives within minutes:
          </p>
          <CodeBlock label={`${name} webhook URL`} text={setup.webhook_url} />
        </>
      )}
      <p>2. Copy the app's client id and secret from there:</p>
      <Form onSubmit={submit} className="gap-4 text-text">
        <TextField label={`${name} client id`} {...text("client_id")} />
        <TextField
          label={`${name} client secret`}
          type="password"
          hint="Stored encrypted with this service's secret. Nobody can read it on a page again."
          {...text("client_secret")}
        />
        {has_portals && (
          <Select
            label="Where the app is registered"
            {...field("portal")}
            options={[
              ["current", setup.apps_page],
              ["legacy", "The former page, cloud.ouraring.com"],
            ]}
          />
        )}
        {change.error && !isFieldError(change.error, Object.keys(EMPTY)) && <FailureNotice error={change.error} />}
        {remove.error && <FailureNotice error={remove.error} />}
        {change.data?.check === "accepted" && <Notice tone="good">{name} accepted the credentials.</Notice>}
        {change.data?.check === "unknown" && (
          <Notice tone="fair">
            Stored. {name} gave no clear answer to the test, so the first connection will show whether they are right.
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" isBusy={change.isPending}>
            {source === null ? "Test and save" : "Test and replace"}
          </Button>
          {source === "page" && (
            <Button isBusy={remove.isPending} onClick={() => remove.mutate()}>
              Remove this app
            </Button>
          )}
        </div>
      </Form>
    </>
  )
}
