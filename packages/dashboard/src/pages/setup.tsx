import { Link, useLocation } from "wouter"
import { ServiceFailure } from "../api/send.ts"
import { useCreateOwner, useSetup } from "../api/service.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { fieldError, isFieldError } from "../components/field-error.ts"
import { Form, useFields } from "../components/form.tsx"
import { Loaded } from "../components/loaded.tsx"
import { NewPasswordField } from "../components/new-password-field.tsx"
import { Notice } from "../components/notice.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { TextField } from "../components/text-field.tsx"
import { SignInLayout } from "../sign-in/sign-in-layout.tsx"

const EMPTY = { name: "", email: "", password: "", code: "" } as const

/** The first page of a new installation: the owner's account. */
export default function SetupPage() {
  const setup = useSetup()
  const isDone = setup.error instanceof ServiceFailure && setup.error.status === 404
  return (
    <SignInLayout
      title="Set up Restwell"
      subtitle="Create the first account. It owns this installation: you connect vendors, invite people and see how the service is doing. The other steps follow."
    >
      {isDone ? (
        <Notice
          tone="fair"
          title="This Restwell has an owner already"
          action={<ButtonLink to="/sign-in">Sign in</ButtonLink>}
        >
          If you are new here, ask the owner for an invitation.
        </Notice>
      ) : (
        <Loaded query={setup} skeleton={<Skeleton className="h-64" label="Loading" />}>
          {({ needs_code }) => <OwnerForm needsCode={needs_code} />}
        </Loaded>
      )}
    </SignInLayout>
  )
}

function OwnerForm({ needsCode }: { needsCode: boolean }) {
  const create = useCreateOwner()
  const [, navigate] = useLocation()
  const { values, field: inputProps } = useFields<keyof typeof EMPTY>(EMPTY)
  const field = (name: keyof typeof EMPTY) => ({
    ...inputProps(name),
    required: true,
    error: fieldError(create.error, name),
  })
  const isTaken = create.error instanceof ServiceFailure && create.error.status === 409
  return (
    <>
      {create.error && !isFieldError(create.error, Object.keys(EMPTY)) && <FailureNotice error={create.error} />}
      {isTaken && (
        <p className="text-sm">
          <Link href="/sign-in" className="font-medium text-accent underline underline-offset-2">
            Go to the sign-in page
          </Link>
        </p>
      )}
      <Form onSubmit={() => create.mutate(values, { onSuccess: () => navigate("/start") })} className="gap-4">
        {needsCode && (
          <TextField
            label="Set-up code"
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            hint="Restwell printed it in the terminal or log when it started. It keeps strangers from taking this installation over."
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
