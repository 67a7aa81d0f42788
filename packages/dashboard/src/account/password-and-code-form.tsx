import type { UseMutationResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { ServiceFailure } from "../api/send.ts"
import { Button } from "../components/button.tsx"
import { CodeField } from "../components/code-field.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Form, useFields } from "../components/form.tsx"
import { TextField } from "../components/text-field.tsx"
import { isWrongPassword } from "./wrong-password.ts"

/** A change that needs the password and a code. */
export function PasswordAndCodeForm<Output>({
  action,
  submitLabel,
  onSuccess,
  onCancel,
  children,
}: {
  action: UseMutationResult<Output, Error, { password: string; code: string }>
  submitLabel: string
  /** Called after the account was fetched again, if the form is still there. */
  onSuccess?: (output: Output) => void
  onCancel: () => void
  children: ReactNode
}) {
  const { values, field } = useFields({ password: "", code: "" })
  const { error, isPending } = action
  const isWrongCode = error instanceof ServiceFailure && error.status === 401
  return (
    <Form onSubmit={() => action.mutate(values, onSuccess && { onSuccess })} className="max-w-sm gap-4">
      <div className="text-sm text-muted">{children}</div>
      {error && !isWrongCode && !isWrongPassword(error) && <FailureNotice error={error} />}
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        error={error && isWrongPassword(error) ? "Incorrect password." : undefined}
        {...field("password")}
      />
      <CodeField
        label="Code of your app, or a recovery code"
        error={isWrongCode ? "Incorrect code. Each code works once: wait for the next one." : undefined}
        {...field("code")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isPending}>
          {submitLabel}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
