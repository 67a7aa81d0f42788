import { KeyRound } from "lucide-react"
import { useState } from "react"
import { Link, useLocation } from "wouter"
import { hasPasskeySupport, usePasskeySignIn } from "../api/passkeys.ts"
import { ServiceFailure } from "../api/send.ts"
import { useSignIn, useSignInOptions } from "../api/sign-in.ts"
import { nextPath, nextSearch, openNext } from "../api/sign-in-path.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Form, useFields } from "../components/form.tsx"
import { Notice } from "../components/notice.tsx"
import { TextField } from "../components/text-field.tsx"
import { CodeStep } from "../sign-in/code-step.tsx"
import { problemText } from "../sign-in/problems.ts"
import { ProviderLinks } from "../sign-in/provider-links.tsx"
import { SignInLayout } from "../sign-in/sign-in-layout.tsx"

export default function SignInPage() {
  const [step, setStep] = useState<Step>("password")
  const [, navigate] = useLocation()
  const onSuccess = () => openNext(nextPath(window.location.search), navigate)
  if (step === "code") return <CodeStep onSuccess={onSuccess} onExpired={() => setStep("expired")} />
  return <PasswordStep hasExpired={step === "expired"} onSuccess={onSuccess} onCodeRequired={() => setStep("code")} />
}

/** `expired`: the code came too late, or the person starts again. */
type Step = "password" | "code" | "expired"

function PasswordStep({
  hasExpired,
  onSuccess,
  onCodeRequired,
}: {
  hasExpired: boolean
  onSuccess: () => void
  onCodeRequired: () => void
}) {
  const options = useSignInOptions()
  const signIn = useSignIn()
  const passkey = usePasskeySignIn()
  const { values, field } = useFields({ email: "", password: "" })
  const submit = () => {
    passkey.reset()
    signIn.mutate(values, { onSuccess: (answer) => ("code_required" in answer ? onCodeRequired() : onSuccess()) })
  }
  const usePasskey = () => {
    signIn.reset()
    passkey.mutate(undefined, { onSuccess })
  }
  const problem = hasExpired ? START_AGAIN : problemText(window.location.search)
  const error = signIn.error ?? passkey.error
  return (
    <SignInLayout title="Sign in" subtitle="See your own sleep, recovery and strain.">
      {problem !== undefined && !error && <Notice tone="fair">{problem}</Notice>}
      {error && (isWrongPassword(signIn.error) ? WRONG_PASSWORD : <FailureNotice error={error} />)}
      <Form onSubmit={submit} className="gap-4">
        <TextField label="Email address" type="email" autoComplete="username webauthn" required {...field("email")} />
        <TextField label="Password" type="password" autoComplete="current-password" required {...field("password")} />
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          Sign in
        </Button>
      </Form>
      <p className="-mt-2 text-sm">
        <Link href="/forgot-password" className="text-muted underline underline-offset-2 hover:text-text">
          Forgot password?
        </Link>
      </p>
      {hasPasskeySupport && (
        <Button onClick={usePasskey} isBusy={passkey.isPending}>
          <KeyRound size={16} aria-hidden="true" />
          Sign in with a passkey
        </Button>
      )}
      <ProviderLinks providers={options.data?.providers ?? []} />
      {/* Reserves the line below, so that nothing moves when it loads. */}
      {options.isPending && <div className="h-5" />}
      {options.data?.sign_up === "open" && (
        <p className="text-center text-sm text-muted">
          New here?{" "}
          <Link
            href={`/sign-up${nextSearch(window.location.search)}`}
            className="font-medium text-accent underline underline-offset-2"
          >
            Create an account
          </Link>
        </p>
      )}
      {options.data?.sign_up === "closed" && (
        <p className="text-center text-sm text-muted">Sign-ups are closed. Ask the operator for an account.</p>
      )}
    </SignInLayout>
  )
}

const START_AGAIN = "Enter your password again, then a code within ten minutes."

const WRONG_PASSWORD = <Notice tone="poor" title="Incorrect email or password. Passwords are case-sensitive." />

const isWrongPassword = (error: Error | null): boolean => error instanceof ServiceFailure && error.status === 401
