import { useState } from "react"
import { PasskeyQuestion } from "../account/passkeys-panel.tsx"
import { useAccount } from "../api/account.ts"
import { nextSearch } from "../api/send.ts"
import { useForgotPassword, useLinkToken, useResetLink, useResetPassword, useSignInOptions } from "../api/sign-in.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { CodeBlock, KeyQuestion } from "../components/code-block.tsx"
import { Form, fieldError, isFieldError, NewPasswordField, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { CodeStep, LinkContent, SignInLayout, TextLink } from "../sign-in/sign-in-layout.tsx"

/** Sends a link to a new password, or says who can make one. */
export function ForgotPasswordPage() {
  return (
    <SignInLayout title="Forgot your password?" subtitle="A link lets you choose a new one.">
      <Loaded query={useSignInOptions()} skeleton={<Skeleton className="h-32" label="Loading" />}>
        {({ password_reset }) => (password_reset === "email" ? <EmailForm /> : <OperatorHelp />)}
      </Loaded>
      <TextLink href={`/sign-in${nextSearch(window.location.search)}`}>Back to sign-in</TextLink>
    </SignInLayout>
  )
}

function EmailForm() {
  const forgot = useForgotPassword()
  const { values, field } = useFields({ email: "" })
  if (forgot.isSuccess)
    return (
      <Notice tone="good" title="Look into your mailbox.">
        If {forgot.variables} has an account here, an email with a link is on its way. The link works for an hour.
      </Notice>
    )
  return (
    <Form onSubmit={() => forgot.mutate(values.email)} className="gap-4">
      {forgot.error && !isFieldError(forgot.error, ["email"]) && <FailureNotice error={forgot.error} />}
      <TextField
        label="Email address"
        type="email"
        autoComplete="username"
        maxLength={254}
        required
        error={fieldError(forgot.error, "email")}
        {...field("email")}
      />
      <Button type="submit" look="primary" isBusy={forgot.isPending}>
        Send me a link
      </Button>
    </Form>
  )
}

const OperatorHelp = () => (
  <>
    <Notice title="Ask the operator of this server for a link.">
      This Restwell sends no email. The operator makes a link on the page Service, or with this command:
    </Notice>
    <CodeBlock label="Command for the operator" text="restwell reset-password EMAIL" />
  </>
)

type Step = "password" | "code" | "done"

/** Sets a new password with a link, and signs in. */
export default function ResetPage() {
  const token = useLinkToken()
  const link = useResetLink(token)
  const [step, setStep] = useState<Step>("password")
  if (step === "code")
    return <CodeStep onSuccess={() => setStep("done")} onExpired={() => window.location.assign("/sign-in")} />
  if (step === "done") return <Done />
  return (
    <SignInLayout
      title="Choose a new password"
      subtitle="You are then signed in, and all other browsers are signed out."
    >
      <LinkContent token={token} query={link} help={<TextLink href="/forgot-password">Ask for a new link</TextLink>}>
        {({ email, removes_two_factor }) => (
          <>
            {removes_two_factor && (
              <Notice tone="fair">This link also turns your sign-in codes off. Turn them on again afterwards.</Notice>
            )}
            <PasswordForm token={token} email={email} onNext={setStep} />
          </>
        )}
      </LinkContent>
    </SignInLayout>
  )
}

function PasswordForm({ token, email, onNext }: { token: string; email: string; onNext: (step: Step) => void }) {
  const reset = useResetPassword()
  const { values, field } = useFields({ newPassword: "" })
  const submit = () =>
    reset.mutate(
      { token, newPassword: values.newPassword },
      { onSuccess: (answer) => onNext("code_required" in answer ? "code" : "done") },
    )
  return (
    <Form onSubmit={submit} className="gap-4">
      {reset.error && !isFieldError(reset.error, ["newPassword"]) && <FailureNotice error={reset.error} />}
      {/* Password managers store the password under it. */}
      <TextField label="Email address" type="email" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        label="New password"
        required
        error={fieldError(reset.error, "newPassword")?.replace(/^newPassword/, "The new password")}
        {...field("newPassword")}
      />
      <Button type="submit" look="primary" isBusy={reset.isPending}>
        Set password and sign in
      </Button>
    </Form>
  )
}

function Done() {
  const account = useAccount()
  return (
    <SignInLayout title="Password set" subtitle="You are signed in.">
      <Notice tone="good">All other browsers are signed out. Passkeys and assistants still work.</Notice>
      {account.data && account.data.sign_in.passkeys > 0 && <PasskeyQuestion methods={account.data.sign_in} />}
      {account.data && account.data.api_key !== null && <KeyQuestion />}
      <ButtonLink to="/" look="primary">
        Go to Today
      </ButtonLink>
    </SignInLayout>
  )
}
