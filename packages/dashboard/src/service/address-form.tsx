import type { AddressCheck, ServiceResponse } from "@restwell/client"
import { useLateConfirmation } from "../account/confirmation.tsx"
import { useCheckAddress, useSetAddress } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { Form, fieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { isPublic } from "../format/address-reach.ts"
import { sentence } from "../format/number.ts"
import { PublicAddressWays } from "./public-address.tsx"

/** The public address: what it is now, a check of another one, and the change. */
export function AddressForm({ address: { value, source } }: Pick<ServiceResponse, "address">) {
  const check = useCheckAddress()
  const change = useSetAddress()
  const { confirm, field: confirmation, failure } = useLateConfirmation(change.error)
  const { values, field } = useFields<"address">({ address: value })
  // A new address needs a new check.
  const checked = check.variables === values.address ? check.data : undefined
  const save = () =>
    change.mutate(
      { address: values.address, confirm },
      {
        onSuccess: ({ address }) =>
          window.location.assign(
            address === window.location.origin ? window.location.href : `${address}${window.location.pathname}`,
          ),
      },
    )
  if (source === "environment")
    return (
      <>
        <CodeBlock label="public address" text={value} />
        <p className="text-sm text-muted">Set by environment variables: BASE_URL takes precedence over this page.</p>
      </>
    )
  return (
    <Form onSubmit={() => check.mutate(values.address)} className="gap-4">
      <TextField
        label="Public address"
        type="url"
        inputMode="url"
        required
        autoComplete="off"
        hint="The address that people, vendors and assistants use, like https://restwell.example.com."
        error={fieldError(check.error ?? change.error, "address")}
        {...field("address")}
      />
      {confirmation}
      {[check.error, failure].map(
        (error) =>
          error && fieldError(error, "address") === undefined && <FailureNotice key={error.message} error={error} />,
      )}
      {checked && <CheckResult check={checked} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look={checked ? "secondary" : "primary"} isBusy={check.isPending}>
          Check the address
        </Button>
        {checked && values.address !== value && (
          <Button look="primary" isBusy={change.isPending} onClick={save}>
            {checked.is_reachable ? "Use this address" : "Use it anyway"}
          </Button>
        )}
      </div>
      {checked && values.address !== value && (
        <p className="text-sm text-muted">
          You then continue at the new address and sign in there once. With another name, passkeys have to be added
          again, assistants connected again, and the redirect URLs changed at the vendors.
        </p>
      )}
    </Form>
  )
}

const LOCAL = {
  home: {
    title: "Only devices in your home network can open this address",
    text: "At home, everything works: pages, keys and scripts, and syncing with the vendors.",
  },
  this_computer: {
    title: "Only this computer can open this address",
    text: "On this computer, everything works: pages, keys and scripts, and syncing with the vendors. Your phone does not reach it.",
  },
}

/** What the check found, and what such an address can do. */
const CheckResult = ({ check: { is_reachable, is_https, reach, problem } }: { check: AddressCheck }) => (
  <>
    {is_reachable ? (
      <Notice tone="good">This address leads to this Restwell.</Notice>
    ) : (
      <Notice tone="fair" title="The address was not reached from this machine">
        {sentence(problem ?? "it cannot be reached")}. Some routers do not let a machine reach its own public address.
        If you have opened it on a phone without Wi-Fi, you can use it anyway.
      </Notice>
    )}
    {reach === "internet" ? (
      !is_https && (
        <Notice tone="fair" title="Without https, others on the way can read passwords and records">
          Vendors and assistants refuse such an address too. They need one that begins with https://.
        </Notice>
      )
    ) : (
      <Notice tone="info" title={LOCAL[reach].title}>
        {LOCAL[reach].text} No webhooks reach it (new data arrives with the next poll instead), and no assistants that
        run on the web, such as Claude or ChatGPT. They need an address that begins with https:// and that everybody on
        the internet can open.
      </Notice>
    )}
    {!isPublic({ reach, is_https }) && <PublicAddressWays />}
  </>
)
