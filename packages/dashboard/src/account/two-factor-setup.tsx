import { ServiceFailure } from "../api/send.ts"
import { useBeginTwoFactor, useConfirmTwoFactor } from "../api/two-factor.ts"
import { Button } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { CodeField } from "../components/code-field.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Form, useFields } from "../components/form.tsx"
import { QrCode } from "../components/qr-code.tsx"
import { TextField } from "../components/text-field.tsx"
import { isWrongPassword } from "./wrong-password.ts"

type Begin = ReturnType<typeof useBeginTwoFactor>

/** The password, then the app's QR code and its first code. */
export function TwoFactorSetup({ onConfirmed }: { onConfirmed: (recoveryCodes: readonly string[]) => void }) {
  const begin = useBeginTwoFactor()
  if (!begin.data) return <PasswordForm begin={begin} />
  const { uri, key } = begin.data
  return <AppForm uri={uri} secret={key} onConfirmed={onConfirmed} onCancel={begin.reset} />
}

function PasswordForm({ begin }: { begin: Begin }) {
  const { values, field } = useFields({ password: "" })
  const { error } = begin
  return (
    <Form onSubmit={() => begin.mutate(values.password)} className="max-w-sm gap-4">
      {error && !isWrongPassword(error) && <FailureNotice error={error} />}
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        error={error && isWrongPassword(error) ? "Incorrect password." : undefined}
        {...field("password")}
      />
      <div>
        <Button type="submit" isBusy={begin.isPending}>
          Set up sign-in codes
        </Button>
      </div>
    </Form>
  )
}

function AppForm({
  uri,
  secret,
  onConfirmed,
  onCancel,
}: {
  uri: string
  secret: string
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}) {
  const confirm = useConfirmTwoFactor(onConfirmed)
  const { values, field } = useFields({ code: "" })
  const { error } = confirm
  const isWrong = error instanceof ServiceFailure && error.status === 401
  return (
    <Form onSubmit={() => confirm.mutate(values.code)} className="gap-4">
      <p className="text-sm text-muted">Scan this with an authenticator app, or type the key into it.</p>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <CodeBlock label="key for your authenticator app" text={(secret.match(/.{1,4}/g) ?? []).join(" ")} />
      {error && !isWrong && <FailureNotice error={error} />}
      <CodeField
        label="Code that your app displays now"
        hint="Six digits."
        error={isWrong ? "Incorrect code. Check the clock of your device, and enter the newest code." : undefined}
        isNextStep
        {...field("code")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={confirm.isPending}>
          Turn on sign-in codes
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
