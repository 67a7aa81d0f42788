import { useChangePassword, useSetPassword } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { fieldError, isFieldError } from "../components/field-error.ts"
import { Form, useFields } from "../components/form.tsx"
import { NewPasswordField } from "../components/new-password-field.tsx"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/panel.tsx"
import { TextField } from "../components/text-field.tsx"
import { KeyQuestion } from "./key-question.tsx"
import { isWrongPassword } from "./wrong-password.ts"

/** Changes the password, or sets the first one of an account without a password. */
export function PasswordPanel({ hasPassword, hasKey }: { hasPassword: boolean; hasKey: boolean }) {
  const change = useChangePassword()
  const set = useSetPassword()
  const { values, field, reset } = useFields({ currentPassword: "", newPassword: "" })
  const { error, isPending } = hasPassword ? change : set
  const submit = () => {
    if (hasPassword) change.mutate(values, { onSuccess: reset })
    else set.mutate({ newPassword: values.newPassword }, { onSuccess: reset })
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
        <div>
          <Button type="submit" isBusy={isPending}>
            {hasPassword ? "Change password" : "Set password"}
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
