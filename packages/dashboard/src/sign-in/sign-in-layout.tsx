import type { SignInOptionsResponse } from "@restwell/client"
import type { UseQueryResult } from "@tanstack/react-query"
import { type ReactNode, useEffect } from "react"
import { Link } from "wouter"
import { nextSearch, ServiceFailure } from "../api/send.ts"
import { useCodeSignIn, type useSignUp } from "../api/sign-in.ts"
import { Button, ExternalButtonLink } from "../components/button.tsx"
import {
  CodeField,
  Form,
  fieldError,
  isFieldError,
  NewPasswordField,
  TextField,
  useFields,
} from "../components/form.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Logo } from "../components/shell.tsx"

/** Frame of the sign-in and sign-up pages. */
export function SignInLayout({ title, subtitle, children }: { title: string; subtitle: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Restwell`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 px-4 py-10">
      <Logo />
      <div>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="text-sm text-muted">{subtitle}</p>
      </div>
      {children}
      <p className="text-center text-xs text-muted">
        Self-hosted and read-only.{" "}
        <a href="/docs/" className="underline underline-offset-2 hover:text-text">
          Manual
        </a>
      </p>
    </main>
  )
}

/** A link to another sign-in page, below the form. */
export const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <p className="text-center text-sm text-muted">
    <Link href={href} className="font-medium text-accent underline underline-offset-2">
      {children}
    </Link>
  </p>
)

/** The content of a page that a link opens, or why the link does not work. */
export function LinkContent<Data>({
  token,
  query,
  help,
  children,
}: {
  token: string
  query: UseQueryResult<Data>
  /** What to do without a valid link. */
  help: ReactNode
  children: (data: Data) => ReactNode
}) {
  if (token === "")
    return (
      <>
        <Notice tone="fair" title="The link is not complete.">
          Open it again from the email or message, or copy all of it.
        </Notice>
        {help}
      </>
    )
  if (query.isLoadingError)
    return (
      <>
        <FailureNotice error={query.error} />
        {help}
      </>
    )
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-48" label="Checking the link" />}>
      {children}
    </Loaded>
  )
}

const NAMES = ["name", "email", "password"] as const
type Values = Readonly<Record<(typeof NAMES)[number], string>>

/** The form of a new account. */
export function SignUpForm({
  signUp,
  fixedEmail = null,
  isDisabled = false,
  onSubmit,
}: {
  signUp: Pick<ReturnType<typeof useSignUp>, "error" | "isPending">
  /** The only address that an invitation allows. */
  fixedEmail?: string | null
  isDisabled?: boolean
  onSubmit: (values: Values) => void
}) {
  const { values, field: inputProps } = useFields({ name: "", email: fixedEmail ?? "", password: "" })
  const field = (name: keyof Values) => ({
    ...inputProps(name),
    required: true,
    error: fieldError(signUp.error, name),
  })
  return (
    <>
      {signUp.error && !isFieldError(signUp.error, NAMES) && <FailureNotice error={signUp.error} />}
      <Form onSubmit={() => onSubmit(values)} className="gap-4">
        <TextField label="Name" autoComplete="name" maxLength={100} {...field("name")} />
        <TextField
          label="Email address"
          type="email"
          autoComplete="username"
          maxLength={254}
          readOnly={fixedEmail !== null}
          {...field("email")}
        />
        <NewPasswordField label="Password" {...field("password")} />
        <Button type="submit" look="primary" isBusy={signUp.isPending} disabled={isDisabled}>
          Create account
        </Button>
      </Form>
    </>
  )
}

/** Texts by the `problem` that the server adds to the URL of the sign-in page. */
const PROBLEMS: Readonly<Record<string, string>> = {
  session_ended: "Your session has ended. Sign in again to continue.",
  access_denied: "You cancelled the sign-in. No data was shared.",
  email_taken: "An account with this email address already exists. Sign in the way you did before.",
  sign_up_closed: "Sign-ups are closed. Ask the operator for an account.",
  invitation_invalid:
    "This invitation is not valid for that account: it was accepted, revoked, has expired, or is for another address.",
  expired: "The sign-in took too long or was started in another browser. Try again.",
  failed: "The other service did not confirm your identity. Try again in a moment.",
}

/** Returns the text for the problem in the URL, if it names a known one. */
export const problemText = (search: string): string | undefined =>
  PROBLEMS[new URLSearchParams(search).get("problem") ?? ""]

/** Links to sign in with other services, such as Google. */
export const ProviderLinks = ({ providers }: { providers: SignInOptionsResponse["providers"] }) =>
  providers.map(({ provider, name }) => (
    <ExternalButtonLink key={provider} href={`/api/auth/sign-in/${provider}${nextSearch(window.location.search)}`}>
      Continue with {name}
    </ExternalButtonLink>
  ))

/** Asks for the code that follows the password. */
export function CodeStep({ onSuccess, onExpired }: { onSuccess: () => void; onExpired: () => void }) {
  const signIn = useCodeSignIn()
  const { values, field } = useFields({ code: "" })
  const { error } = signIn
  const submit = () =>
    signIn.mutate(values.code, {
      onSuccess,
      onError: (failure) => {
        if (failure instanceof ServiceFailure && failure.status === 403) onExpired()
      },
    })
  const isWrong = error instanceof ServiceFailure && error.status === 401
  return (
    <SignInLayout title="Enter your code" subtitle="Your authenticator app displays a new code every 30 seconds.">
      {error && !isWrong && <FailureNotice error={error} />}
      <Form onSubmit={submit} className="gap-4">
        <CodeField
          label="Code"
          hint="Six digits. Without your device, enter one of your recovery codes."
          error={isWrong ? WRONG_CODE : undefined}
          isNextStep
          {...field("code")}
        />
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          Sign in
        </Button>
      </Form>
      <Button look="quiet" onClick={onExpired}>
        Start again
      </Button>
    </SignInLayout>
  )
}

const WRONG_CODE = "Incorrect code. Each code works once: enter the one that your app displays now."
