import { type FormEvent, useState } from "react"
import { Link, useLocation } from "wouter"
import { ServiceFailure } from "../api/send.ts"
import { useSignInOptions, useSignUp } from "../api/sign-in.ts"
import { leadOn, nextPath, nextSearch } from "../api/sign-in-path.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { TextField } from "../components/text-field.tsx"
import { ProviderLinks } from "../sign-in/provider-links.tsx"
import { Entrance } from "../sign-in/sign-in-layout.tsx"

const EMPTY = { name: "", email: "", password: "" }

export default function SignUpPage() {
  const options = useSignInOptions()
  const signUp = useSignUp()
  const [, navigate] = useLocation()
  const [fields, setFields] = useState(EMPTY)
  const next = nextPath(window.location.search)
  const field = (name: keyof typeof EMPTY) => ({
    name,
    value: fields[name],
    required: true,
    error: fieldError(signUp.error, name),
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signUp.mutate(fields, { onSuccess: () => leadOn(next === "/" ? "/start" : next, navigate) })
  }
  const isClosed = options.data?.sign_up === "closed"
  return (
    <Entrance title="Make an account" subtitle="It lives on this server alone.">
      {isClosed && <Notice tone="fair">This Restwell lets nobody new in. Ask its operator for an account.</Notice>}
      {signUp.error && !isFieldFault(signUp.error) && <FailureNotice error={signUp.error} />}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label="Name" autoComplete="name" maxLength={100} {...field("name")} />
        <TextField label="E-mail address" type="email" autoComplete="username" maxLength={254} {...field("email")} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={128}
          hint="At least 8 characters. A few words in a row are easy to keep and hard to guess."
          {...field("password")}
        />
        <Button type="submit" look="primary" isBusy={signUp.isPending} disabled={isClosed}>
          Make the account
        </Button>
      </form>
      {!isClosed && <ProviderLinks providers={options.data?.providers ?? []} />}
      <p className="text-center text-sm text-muted">
        Been here before?{" "}
        <Link
          href={`/sign-in${nextSearch(window.location.search)}`}
          className="font-medium text-accent underline underline-offset-2"
        >
          Sign in
        </Link>
      </p>
    </Entrance>
  )
}

const isFieldFault = (error: Error): error is ServiceFailure =>
  error instanceof ServiceFailure && error.field !== undefined && error.field in EMPTY

const fieldError = (error: Error | null, name: string): string | undefined =>
  error && isFieldFault(error) && error.field === name ? `${error.message}.` : undefined
