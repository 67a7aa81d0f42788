import { Link, useLocation } from "wouter"
import { useSignInOptions, useSignUp } from "../api/sign-in.ts"
import { nextPath, nextSearch, openNext } from "../api/sign-in-path.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { fieldError, isFieldError } from "../components/field-error.ts"
import { Form, useFields } from "../components/form.tsx"
import { Notice } from "../components/notice.tsx"
import { TextField } from "../components/text-field.tsx"
import { ProviderLinks } from "../sign-in/provider-links.tsx"
import { SignInLayout } from "../sign-in/sign-in-layout.tsx"

const EMPTY = { name: "", email: "", password: "" } as const

export default function SignUpPage() {
  const options = useSignInOptions()
  const signUp = useSignUp()
  const [, navigate] = useLocation()
  const { values, field: inputProps } = useFields<keyof typeof EMPTY>(EMPTY)
  const next = nextPath(window.location.search)
  const field = (name: keyof typeof EMPTY) => ({
    ...inputProps(name),
    required: true,
    error: fieldError(signUp.error, name),
  })
  const submit = () => signUp.mutate(values, { onSuccess: () => openNext(next === "/" ? "/start" : next, navigate) })
  const isClosed = options.data?.sign_up === "closed"
  return (
    <SignInLayout title="Create an account" subtitle="Your account exists only on this server.">
      {isClosed && <Notice tone="fair">Sign-ups are closed. Ask the operator for an account.</Notice>}
      {signUp.error && !isFieldError(signUp.error, Object.keys(EMPTY)) && <FailureNotice error={signUp.error} />}
      <Form onSubmit={submit} className="gap-4">
        <TextField label="Name" autoComplete="name" maxLength={100} {...field("name")} />
        <TextField label="Email address" type="email" autoComplete="username" maxLength={254} {...field("email")} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={128}
          hint="At least 8 characters. Several random words are easy to remember and hard to guess."
          {...field("password")}
        />
        <Button type="submit" look="primary" isBusy={signUp.isPending} disabled={isClosed}>
          Create account
        </Button>
      </Form>
      {!isClosed && <ProviderLinks providers={options.data?.providers ?? []} />}
      <p className="text-center text-sm text-muted">
        Already have an account?{" "}
        <Link
          href={`/sign-in${nextSearch(window.location.search)}`}
          className="font-medium text-accent underline underline-offset-2"
        >
          Sign in
        </Link>
      </p>
    </SignInLayout>
  )
}
