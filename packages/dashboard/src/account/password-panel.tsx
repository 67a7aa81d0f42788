import type { AccountResponse } from "@restwell/client"
import { useState } from "react"
import { useChangePassword } from "../api/account.ts"
import { useSetPassword } from "../api/sign-in-methods.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, NewPasswordField, TextField, useFields } from "../components/form.tsx"
import { KeyQuestion } from "../components/new-key.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { isWrongPassword } from "./confirmation.tsx"
import { PasskeyQuestion } from "./passkeys-panel.tsx"

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
