import type { AccountResponse } from "@restwell/client"
import { useDeleteAccount } from "../api/account.ts"
import { ServiceFailure } from "../api/send.ts"
import { ExternalButtonLink } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { TextField, useFields } from "../components/form.tsx"
import { Panel } from "../components/page.tsx"

const TABLES = [
  { type: "sleep", label: "Sleep" },
  { type: "recovery", label: "Recovery" },
  { type: "workout", label: "Workouts" },
  { type: "cycle", label: "Days" },
] as const

/** Downloads of the person's data. */
export const ExportPanel = () => (
  <Panel
    title="Export"
    description="JSON: your account, connections, both logs and every record with the vendor's original data. CSV: one table per data type, for a spreadsheet."
  >
    <div className="flex flex-wrap gap-2">
      <ExternalButtonLink href="/api/account/export" download>
        All data (JSON)
      </ExternalButtonLink>
      {TABLES.map(({ type, label }) => (
        <ExternalButtonLink key={type} href={`/api/account/export?format=csv&type=${type}`} download>
          {label} (CSV)
        </ExternalButtonLink>
      ))}
    </div>
  </Panel>
)

/** Deletes the account after the person has typed its email address. */
export function DeletePanel({ user, sign_in: { password: hasPassword } }: Pick<AccountResponse, "user" | "sign_in">) {
  const remove = useDeleteAccount()
  const { values, field } = useFields({ confirmation: "", password: "" })
  const needsPassword = hasPassword && remove.error instanceof ServiceFailure && remove.error.status === 403
  const confirm = async () => {
    await remove.mutateAsync(values.password === "" ? undefined : values.password)
    window.location.assign("/sign-in")
  }
  return (
    <Panel
      title="Delete account"
      description="Deletes your records, API key, passkeys and sessions immediately and permanently, and revokes access at the vendors. First export the data you want to keep."
    >
      <ConfirmDialog
        trigger="Delete my account"
        title="Delete everything?"
        confirmLabel="Delete everything"
        canConfirm={values.confirmation.trim().toLowerCase() === user.email}
        onConfirm={confirm}
      >
        <p>This cannot be undone. Backups that the operator has made before keep your data until they are deleted.</p>
        <div className="flex flex-col gap-3 text-text">
          <TextField label={`Type ${user.email} to confirm`} autoComplete="off" {...field("confirmation")} />
          {needsPassword && (
            <TextField label="Your password" type="password" autoComplete="current-password" {...field("password")} />
          )}
        </div>
      </ConfirmDialog>
    </Panel>
  )
}
