import type { AccountResponse } from "@restwell/client"
import { useDeleteAccount } from "../api/account.ts"
import { ExternalButtonLink } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { TextField, useFields } from "../components/form.tsx"
import { Panel } from "../components/page.tsx"
import { ConfirmationField, useConfirmation } from "./confirmation.tsx"

const TABLES = [
  { type: "sleep", label: "Sleep" },
  { type: "recovery", label: "Recovery" },
  { type: "workout", label: "Workouts" },
  { type: "cycle", label: "Days" },
  { type: "series", label: "Values within the day" },
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

type DeletePanelProps = Pick<AccountResponse, "user" | "sign_in" | "is_owner" | "is_alone">

/** Deletes the account after the person has typed its email address, and confirmed it with a password or a passkey. */
export function DeletePanel({ user, sign_in, is_owner, is_alone }: DeletePanelProps) {
  const remove = useDeleteAccount()
  const { values, field } = useFields({ address: "" })
  const { confirm, isComplete, input } = useConfirmation(sign_in)
  const confirmDeletion = async () => {
    await remove.mutateAsync(confirm)
    // A full page load clears the person's data from memory.
    window.location.assign("/deleted")
  }
  return (
    <Panel
      title="Delete account"
      description="Deletes your records, journal, API key, passkeys and sessions immediately and permanently, and revokes access at the vendors. First export the data you want to keep."
    >
      <ConfirmDialog
        trigger="Delete my account"
        title="Delete everything?"
        confirmLabel="Delete everything"
        canConfirm={isComplete && values.address.trim().toLowerCase() === user.email}
        onConfirm={confirmDeletion}
      >
        <p>This cannot be undone. Backups that the operator has made before keep your data until they are deleted.</p>
        {is_owner && <p>{is_alone ? LAST_OWNER : OWNER_OF_OTHERS}</p>}
        <div className="flex flex-col gap-3 text-text">
          <TextField label={`Type ${user.email} to confirm`} autoComplete="off" {...field("address")} />
          <ConfirmationField {...input} failure={remove.error} />
        </div>
      </ConfirmDialog>
    </Panel>
  )
}

const LAST_OWNER =
  "You are the owner and the only person here. Afterwards the page is a set-up again, and the person who has its code becomes the owner."
const OWNER_OF_OTHERS =
  "You are the owner. The others keep their accounts, and none of them becomes the owner by it. The operator appoints one with: restwell people set-owner EMAIL"
