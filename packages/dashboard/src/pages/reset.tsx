import { useState } from "react"
import { KeyQuestion } from "../account/key-question.tsx"
import { useAccount } from "../api/account.ts"
import { useLinkToken, useResetLink, useResetPassword } from "../api/links.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { fieldError, isFieldError } from "../components/field-error.ts"
import { Form, useFields } from "../components/form.tsx"
import { NewPasswordField } from "../components/new-password-field.tsx"
import { Notice } from "../components/notice.tsx"
import { TextField } from "../components/text-field.tsx"
import { CodeStep } from "../sign-in/code-step.tsx"
import { LinkContent } from "../sign-in/link-page.tsx"
import { SignInLayout } from "../sign-in/sign-in-layout.tsx"
import { TextLink } from "../sign-in/text-link.tsx"

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
      {account.data && account.data.api_key !== null && <KeyQuestion />}
      <ButtonLink to="/" look="primary">
        Go to Today
      </ButtonLink>
    </SignInLayout>
  )
}
