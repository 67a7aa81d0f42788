import { type FormEvent, useState } from "react"
import { useChangePassword, useSetPassword } from "../api/account.ts"
import { ServiceFailure } from "../api/send.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/panel.tsx"
import { TextField } from "../components/text-field.tsx"

/** Changes the password, or sets the first one of an account that was made without. */
export function PasswordPanel({ hasPassword }: { hasPassword: boolean }) {
  const change = useChangePassword()
  const set = useSetPassword()
  const [currentPassword, setCurrent] = useState("")
  const [newPassword, setNew] = useState("")
  const attempt = hasPassword ? change : set
  const clear = () => {
    setCurrent("")
    setNew("")
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (hasPassword) change.mutate({ currentPassword, newPassword }, { onSuccess: clear })
    else set.mutate({ newPassword }, { onSuccess: clear })
  }
  const isDone = change.isSuccess || set.isSuccess
  return (
    <Panel
      title="Password"
      description={
        hasPassword
          ? "A new one signs every other browser out."
          : "You have none. Set one to sign in with your e-mail address as well."
      }
    >
      <form onSubmit={submit} className="flex max-w-sm flex-col gap-4">
        {isDone && <Notice tone="good">The password is set.</Notice>}
        {attempt.error && !isWrongPassword(attempt.error) && <FailureNotice error={attempt.error} />}
        {hasPassword && (
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            value={currentPassword}
            onChange={(event) => setCurrent(event.target.value)}
            error={attempt.error && isWrongPassword(attempt.error) ? "This is not your current password." : undefined}
          />
        )}
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={128}
          hint="At least 8 characters."
          value={newPassword}
          onChange={(event) => setNew(event.target.value)}
        />
        <div>
          <Button type="submit" isBusy={attempt.isPending}>
            {hasPassword ? "Change password" : "Set password"}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

const isWrongPassword = (error: Error): boolean =>
  error instanceof ServiceFailure && error.status === 403 && error.message.includes("current password")
