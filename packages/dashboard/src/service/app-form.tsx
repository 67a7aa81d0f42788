import type { ServiceResponse, Vendor } from "@restwell/client"
import { useRemoveVendorApp, useSetVendorApp } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { Select } from "../components/choice.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { VendorSteps } from "../components/instructions.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"

type App = ServiceResponse["vendors"][number]

const EMPTY = { client_id: "", client_secret: "", portal: "current" } as const

/** The steps of registering an app at a vendor, and the form for its credentials. */
export function AppForm({
  app: { provider, display_name: name, source, has_portals },
  vendor,
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
      <VendorSteps vendor={vendor}>
        <li>Copy the app's client id and client secret from there into this form:</li>
      </VendorSteps>
      <Form onSubmit={submit} className="gap-4 text-text">
        <TextField label={`${name} client id`} {...text("client_id")} />
        <TextField
          label={`${name} client secret`}
          type="password"
          hint="Stored encrypted with this service's secret. Nobody can read it on a page again."
          {...text("client_secret")}
        />
        {has_portals && vendor.setup && (
          <Select
            label="Where the app is registered"
            {...field("portal")}
            options={[
              ["current", vendor.setup.apps_page],
              ["legacy", `The former page, ${vendor.setup.former_apps_page}`],
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
