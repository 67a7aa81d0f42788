import type { AccountResponse } from "@restwell/client"
import { useState } from "react"
import { useDeleteAccount } from "../api/account.ts"
import { ServiceFailure } from "../api/send.ts"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Panel } from "../components/panel.tsx"
import { TextField } from "../components/text-field.tsx"

/** Deletes the account with all that is stored, once the person has typed whose it is. */
export function DeletePanel({ user, sign_in: { password: hasPassword } }: Pick<AccountResponse, "user" | "sign_in">) {
  const remove = useDeleteAccount()
  const [typed, setTyped] = useState("")
  const [password, setPassword] = useState("")
  const needsPassword = hasPassword && remove.error instanceof ServiceFailure && remove.error.status === 403
  const confirm = async () => {
    await remove.mutateAsync(password === "" ? undefined : password)
    window.location.assign("/sign-in")
  }
  return (
    <Panel
      title="Delete the account"
      description="Your records, key, passkeys and sessions go, at once and for good, and the vendors are told that Restwell may no longer read. Export first what you want to keep."
    >
      <ConfirmDialog
        trigger="Delete my account"
        title="Delete everything?"
        confirmLabel="Delete everything"
        isReady={typed.trim().toLowerCase() === user.email}
        onConfirm={confirm}
      >
        <p>There is no way back, not even for the operator of this server.</p>
        <div className="flex flex-col gap-3 text-text">
          <TextField
            label={`Type ${user.email} to confirm`}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          {needsPassword && (
            <TextField
              label="Your password"
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </div>
      </ConfirmDialog>
    </Panel>
  )
}
