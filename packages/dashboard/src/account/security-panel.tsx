import type { AccountResponse, SecurityEventEntry, SecurityEventType } from "@restwell/client"
import { useState } from "react"
import { useChangePassword } from "../api/account.ts"
import { useSetPassword } from "../api/sign-in-methods.ts"
import { Button } from "../components/button.tsx"
import { KeyQuestion } from "../components/code-block.tsx"
import { LogPanel, useSecurityLog } from "../components/data-table.tsx"
import { Form, fieldError, isFieldError, NewPasswordField, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { Instant } from "../components/time-ago.tsx"
import { providerName } from "../format/provider-name.ts"
import { isWrongPassword } from "./confirmation.tsx"
import { PasskeyQuestion } from "./passkeys-panel.tsx"

type Detail = string | null

/** "with a password", "with a password and code", "with Google" */
const withMethod = (detail: Detail): string =>
  detail === "passkey" || /^password\b/.test(detail ?? "")
    ? `with a ${detail}`
    : `with ${providerName(detail ?? "another account")}`

const quoted = (detail: Detail): string => (detail === null ? "" : ` “${detail}”`)
const keyPrefix = (detail: Detail): string => (detail === null ? "" : `, ${detail}…`)

const TEXTS: Readonly<Record<SecurityEventType, (detail: Detail) => string>> = {
  account_created: (detail) => `Account created ${withMethod(detail)}`,
  signed_in: (detail) => `Signed in ${withMethod(detail)}`,
  sign_in_failed: (detail) =>
    detail === "code" ? "Sign-in failed: right password, wrong code" : "Sign-in failed: wrong password",
  signed_out: () => "Signed out",
  password_changed: () => "Password changed",
  password_set: () => "Password set",
  password_reset_requested: (detail) =>
    detail === "operator" ? "The operator made a link to a new password" : "A link to a new password was sent by email",
  password_reset: () => "Password set with a link",
  invitation_accepted: () => "Invitation accepted",
  plan_changed: (detail) => `Plan changed${detail === null ? "" : `: ${detail.replace("->", "to")}`}`,
  owner_changed: (detail) => (detail === "replaced" ? "No longer the owner" : "Became the owner"),
  public_address_changed: (detail) => `Public address changed${detail === null ? "" : ` to ${detail}`}`,
  vendor_app_changed: (detail) => `App of ${providerName(detail ?? "a vendor")} changed`,
  service_setting_changed: (detail) => `Setting of the service changed${detail === null ? "" : `: ${detail}`}`,
  two_factor_on: () => "Sign-in codes turned on",
  two_factor_off: () => "Sign-in codes turned off",
  recovery_code_used: () => "Recovery code used",
  recovery_codes_replaced: () => "Recovery codes replaced",
  passkey_added: (detail) => `Passkey${quoted(detail)} added`,
  passkey_removed: (detail) => `Passkey${quoted(detail)} deleted`,
  api_key_created: (detail) => `API key created${keyPrefix(detail)}`,
  key_created: (detail) => `Key${quoted(detail)} made`,
  key_ended: (detail) => `Key${quoted(detail)} ended`,
  api_key_regenerated: (detail) => `API key regenerated${keyPrefix(detail)}`,
  share_created: (detail) => `Report shared with${quoted(detail)}`,
  share_ended: (detail) => `Share with${quoted(detail)} ended`,
  ingest_token_created: (detail) => `Token for pushes${quoted(detail)} made`,
  ingest_token_ended: (detail) => `Token for pushes${quoted(detail)} ended`,
  push_subscription_created: (detail) => `Notifications turned on in ${detail ?? "a browser"}`,
  push_subscription_ended: (detail) => `Notifications turned off in ${detail ?? "a browser"}`,
  assistant_authorized: (detail) => `Assistant${quoted(detail)} authorized`,
  assistant_revoked: (detail) => `Assistant${quoted(detail)} revoked`,
  webhook_created: (detail) => `Webhook${quoted(detail)} made`,
  webhook_ended: (detail) => `Webhook${quoted(detail)} ended`,
  webhook_secret_changed: (detail) => `Secret of webhook${quoted(detail)} changed`,
  webhook_disabled: (detail) => `Disabled: ${detail ?? "a webhook"}`,
  connection_changed: (detail) => connectionText(detail ?? ""),
  data_exported: (detail) => (detail === "json" ? "All data exported" : "One type of data exported"),
}

/** By the new status of the connection. */
const STATUS_TEXTS: Readonly<Record<string, string>> = {
  syncing: "connected, history is syncing",
  ok: "connected and up to date",
  vendor_unavailable: "could not be read",
  failing: "could not be synced",
  reauthorization_required: "needs to be reconnected",
  disconnected: "disconnected",
  archive: "data comes from archives",
}

function connectionText(detail: string): string {
  const [, provider = "", status = ""] = /^(\w+): \w+ -> (\w+)$/.exec(detail) ?? []
  const text = STATUS_TEXTS[status]
  return text === undefined ? `Connection changed: ${detail}` : `${providerName(provider)} ${text}`
}

const securityEventText = ({ type, detail }: SecurityEventEntry): string => TEXTS[type](detail)

/** Security events of the account. */
export function SecurityPanel() {
  const log = useSecurityLog()
  return (
    <LogPanel
      title="Security"
      description="Events of the last 90 days, newest first. If you do not recognise one, change your password and regenerate your API key."
      label="Security events"
      empty="No events in the last 90 days."
      log={log}
    >
      {(entries) => (
        <ul className="divide-y divide-line text-sm">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
              <span className="min-w-0 basis-56 grow break-words">{securityEventText(entry)}</span>
              <span className="text-muted">
                <Instant at={entry.at} />
                {entry.network !== null && `, from ${entry.network}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </LogPanel>
  )
}

/** Changes the password, or sets the first one of an account without a password. */
export function PasswordPanel({ methods, hasKey }: { methods: AccountResponse["sign_in"]; hasKey: boolean }) {
  const { password: hasPassword, passkeys } = methods
  const [deletePasskeys, setDeletePasskeys] = useState(false)
  const change = useChangePassword()
  const set = useSetPassword()
  const { values, field, reset } = useFields({ currentPassword: "", newPassword: "" })
  const { error, isPending } = hasPassword ? change : set
  const changed = () => {
    reset()
    setDeletePasskeys(false)
  }
  const submit = () => {
    if (hasPassword) change.mutate({ ...values, deletePasskeys }, { onSuccess: changed })
    else
      set.mutate(
        { newPassword: values.newPassword, confirm: passkeys > 0 ? "passkey" : "session" },
        { onSuccess: reset },
      )
  }
  return (
    <Panel
      title="Password"
      description={
        hasPassword
          ? "Changing it signs out all other browsers."
          : "You have no password. Set one to sign in with your email address too."
      }
    >
      <Form onSubmit={submit} className="max-w-sm gap-4">
        {(change.isSuccess || set.isSuccess) && <Notice tone="good">Password saved.</Notice>}
        {change.isSuccess && hasKey && <KeyQuestion />}
        {change.isSuccess && passkeys > 0 && <PasskeyQuestion methods={methods} />}
        {error && !isWrongPassword(error) && !isFieldError(error, ["newPassword"]) && <FailureNotice error={error} />}
        {hasPassword && (
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            error={error && isWrongPassword(error) ? "Incorrect current password." : undefined}
            {...field("currentPassword")}
          />
        )}
        <NewPasswordField
          label="New password"
          required
          error={fieldError(error, "newPassword")?.replace(/^newPassword/, "The new password")}
          {...field("newPassword")}
        />
        {hasPassword && passkeys > 0 && (
          <label className="flex items-start gap-2 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4"
              checked={deletePasskeys}
              onChange={({ target }) => setDeletePasskeys(target.checked)}
            />
            {passkeys === 1 ? "Delete my passkey too" : `Delete my ${passkeys} passkeys too`}
          </label>
        )}
        <div>
          <Button type="submit" isBusy={isPending}>
            {hasPassword ? "Change password" : "Set password"}
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
