import { KeyRound } from "lucide-react"
import { type FormEvent, useState } from "react"
import { Link, useLocation } from "wouter"
import { hasPasskeySupport, usePasskeySignIn } from "../api/passkeys.ts"
import { ServiceFailure } from "../api/send.ts"
import { useSignIn, useSignInOptions } from "../api/sign-in.ts"
import { leadOn, nextPath, nextSearch } from "../api/sign-in-path.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { TextField } from "../components/text-field.tsx"
import { problemText } from "../sign-in/problems.ts"
import { ProviderLinks } from "../sign-in/provider-links.tsx"
import { Entrance } from "../sign-in/sign-in-layout.tsx"

export default function SignInPage() {
  const options = useSignInOptions()
  const signIn = useSignIn()
  const passkey = usePasskeySignIn()
  const [, navigate] = useLocation()
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const goOn = () => leadOn(nextPath(window.location.search), navigate)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    passkey.reset()
    signIn.mutate({ email, password }, { onSuccess: goOn })
  }
  const usePasskey = () => {
    signIn.reset()
    passkey.mutate(undefined, { onSuccess: goOn })
  }
  const problem = problemText(window.location.search)
  const error = signIn.error ?? passkey.error
  return (
    <Entrance title="Sign in" subtitle="To your own sleep, recovery and strain.">
      {problem !== undefined && !error && <Notice tone="fair">{problem}</Notice>}
      {error && <FailureNotice error={error} />}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={
            isWrong(signIn.error) ? "One of the two is not right. Passwords keep capital letters apart." : undefined
          }
        />
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          Sign in
        </Button>
      </form>
      {hasPasskeySupport && (
        <Button onClick={usePasskey} isBusy={passkey.isPending}>
          <KeyRound size={16} aria-hidden="true" />
          Sign in with a passkey
        </Button>
      )}
      <ProviderLinks providers={options.data?.providers ?? []} />
      {/* Its line is kept free, so that nothing moves when it comes. */}
      {options.isPending && <div className="h-5" />}
      {options.data?.sign_up === "open" && (
        <p className="text-center text-sm text-muted">
          New here?{" "}
          <Link
            href={`/sign-up${nextSearch(window.location.search)}`}
            className="font-medium text-accent underline underline-offset-2"
          >
            Make an account
          </Link>
        </p>
      )}
      {options.data?.sign_up === "closed" && (
        <p className="text-center text-sm text-muted">This Restwell lets nobody new in. Ask its operator.</p>
      )}
    </Entrance>
  )
}

const isWrong = (error: Error | null): boolean => error instanceof ServiceFailure && error.status === 401
