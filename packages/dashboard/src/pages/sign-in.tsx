import { KeyRound } from "lucide-react"
import { useEffect, useState } from "react"
import { Link, useLocation } from "wouter"
import { isAssistantPath, nextPath, nextSearch, openNext, ServiceFailure } from "../api/send.ts"
import { useIsSignedIn, useSignIn, useSignInOptions } from "../api/sign-in.ts"
import { hasPasskeySupport, usePasskeySignIn } from "../api/sign-in-methods.ts"
import { Button } from "../components/button.tsx"
import { Form, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { CodeStep, ProviderLinks, problemText, SignInLayout, TextLink } from "../sign-in/sign-in-layout.tsx"

export default function SignInPage() {
  const [step, setStep] = useState<Step>("password")
  const [, navigate] = useLocation()
  const next = nextPath(window.location.search)
  const onSuccess = () => openNext(next, navigate)
  const isSignedIn = useIsSignedIn().data === true
  // An assistant may ask that the person signs in again.
  const isDone = isSignedIn && !isAssistantPath(next)
  useEffect(() => {
    if (isDone) openNext(next, navigate)
  }, [isDone, next, navigate])
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
  const { search } = window.location
  const options = useSignInOptions()
  const signIn = useSignIn()
  const passkey = usePasskeySignIn()
  const { values, field } = useFields({ email: "", password: "" })
  const submit = () => {
    passkey.reset()
    signIn.mutate(values, { onSuccess: (answer) => ("code_required" in answer ? onCodeRequired() : onSuccess()) })
  }
  const signInByPasskey = () => {
    signIn.reset()
    passkey.mutate(undefined, { onSuccess })
  }
  const problem = hasExpired ? START_AGAIN : problemText(search)
  const error = signIn.error ?? passkey.error
  return (
    <SignInLayout
      title="Sign in"
      subtitle={isAssistantPath(nextPath(search)) ? FOR_ASSISTANT : "See your own sleep, recovery and strain."}
    >
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
        <Link
          href={`/forgot-password${nextSearch(search)}`}
          className="text-muted underline underline-offset-2 hover:text-text"
        >
          Forgot password?
        </Link>
      </p>
      {hasPasskeySupport && (
        <Button onClick={signInByPasskey} isBusy={passkey.isPending}>
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
          <Link href={`/sign-up${nextSearch(search)}`} className="font-medium text-accent underline underline-offset-2">
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

const FOR_ASSISTANT = "To connect your assistant. Next, you choose what it may read."

const START_AGAIN = "Enter your password again, then a code within ten minutes."

const WRONG_PASSWORD = <Notice tone="poor" title="Incorrect email or password. Passwords are case-sensitive." />

const isWrongPassword = (error: Error | null): boolean => error instanceof ServiceFailure && error.status === 401

/** An address of the manual that it does not have. Everybody may read the manual, so nobody is asked to sign in. */
export const NoManualPage = () => (
  <SignInLayout title="Page not found" subtitle="The manual has no page at this address.">
    <p className="text-sm">
      <a href="/docs/" className="font-medium text-accent underline underline-offset-2">
        Go to the manual
      </a>
    </p>
    <TextLink href="/">Go to Today</TextLink>
  </SignInLayout>
)

/** Where the deletion of an account ends. */
export function DeletedPage() {
  return (
    <SignInLayout title="Your account is deleted" subtitle="Nothing of it is left in this Restwell.">
      <Notice tone="good" title="All your data is gone.">
        Records, journal, keys and sessions are deleted, and vendors no longer let Restwell read your data. Backups that
        the operator made before keep it until they are deleted.
      </Notice>
      <TextLink href="/sign-in">Sign in with another account</TextLink>
    </SignInLayout>
  )
}
