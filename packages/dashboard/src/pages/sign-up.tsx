import { Link, useLocation } from "wouter"
import { nextPath, nextSearch, openNext, ServiceFailure } from "../api/send.ts"
import { useCreateOwner, useSetup } from "../api/service.ts"
import { useInvitation, useLinkToken, useSignInOptions, useSignUp } from "../api/sign-in.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { Form, fieldError, isFieldError, NewPasswordField, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { LinkContent, ProviderLinks, SignInLayout, SignUpForm, TextLink } from "../sign-in/sign-in-layout.tsx"

export default function SignUpPage() {
  const options = useSignInOptions()
  const signUp = useSignUp()
  const [, navigate] = useLocation()
  const next = nextPath(window.location.search)
  const onSuccess = () => openNext(next === "/" ? "/start" : next, navigate)
  const isClosed = options.data?.sign_up === "closed"
  return (
    <SignInLayout title="Create an account" subtitle="Your account exists only on this server.">
      {isClosed && <Notice tone="fair">Sign-ups are closed. Ask the operator for an account.</Notice>}
      <SignUpForm signUp={signUp} isDisabled={isClosed} onSubmit={(values) => signUp.mutate(values, { onSuccess })} />
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

/** Creates an account with an invitation. */
export function InvitePage() {
  const token = useLinkToken()
  const invitation = useInvitation(token)
  return (
    <SignInLayout title="You are invited" subtitle="Create your account. It exists only on this server.">
      <LinkContent token={token} query={invitation} help={HELP}>
        {({ email }) => <Invited token={token} email={email} />}
      </LinkContent>
      <TextLink href="/sign-in">Already have an account? Sign in</TextLink>
    </SignInLayout>
  )
}

const HELP = <p className="text-sm text-muted">The operator of this server can make a new invitation for you.</p>

function Invited({ token, email }: { token: string; email: string | null }) {
  const options = useSignInOptions()
  const signUp = useSignUp()
  const [, navigate] = useLocation()
  return (
    <>
      <SignUpForm
        signUp={signUp}
        fixedEmail={email}
        onSubmit={(values) =>
          signUp.mutate({ ...values, invitation: token }, { onSuccess: () => navigate("/start", { replace: true }) })
        }
      />
      <ProviderLinks providers={options.data?.providers ?? []} />
    </>
  )
}

const FIELDS = ["name", "email", "password", "code"] as const

/** The first page of a new installation: the owner's account. */
export function SetupPage() {
  const setup = useSetup()
  const code = useLinkToken()
  return (
    <SignInLayout
      title="Set up Restwell"
      subtitle="Create the first account. It owns this installation: you connect vendors, invite people and see how the service is doing. The other steps follow."
    >
      <Loaded query={setup} skeleton={<Skeleton className="h-64" label="Loading" />}>
        {({ has_owner }) => (has_owner ? <HasOwner /> : <OwnerForm code={code} />)}
      </Loaded>
    </SignInLayout>
  )
}

const HasOwner = () => (
  <Notice
    tone="fair"
    title="This Restwell has an owner already"
    action={<ButtonLink to="/sign-in">Sign in</ButtonLink>}
  >
    If you are new here, ask the owner for an invitation.
  </Notice>
)

/** @param code of the link that was opened, empty without one */
function OwnerForm({ code }: { code: string }) {
  const create = useCreateOwner()
  const [, navigate] = useLocation()
  const { values, field: inputProps } = useFields<(typeof FIELDS)[number]>({ name: "", email: "", password: "", code })
  const field = (name: (typeof FIELDS)[number]) => ({
    ...inputProps(name),
    required: true,
    error: fieldError(create.error, name),
  })
  const isWrongLink = create.error instanceof ServiceFailure && create.error.status === 403
  const isTaken = create.error instanceof ServiceFailure && create.error.status === 409
  return (
    <>
      {create.error && !isFieldError(create.error, FIELDS) && <FailureNotice error={create.error} />}
      {isTaken && (
        <p className="text-sm">
          <Link href="/sign-in" className="font-medium text-accent underline underline-offset-2">
            Go to the sign-in page
          </Link>
        </p>
      )}
      <Form onSubmit={() => create.mutate(values, { onSuccess: () => navigate("/start") })} className="gap-4">
        {(code === "" || isWrongLink) && (
          <TextField
            label="Set-up code"
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            hint="It is the end of the link that Restwell prints when it starts, in the terminal or the log. It keeps strangers from taking this installation over."
            {...field("code")}
          />
        )}
        <TextField label="Name" autoComplete="name" maxLength={100} {...field("name")} />
        <TextField label="Email address" type="email" autoComplete="username" maxLength={254} {...field("email")} />
        <NewPasswordField label="Password" {...field("password")} />
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Create the owner's account
        </Button>
      </Form>
    </>
  )
}
