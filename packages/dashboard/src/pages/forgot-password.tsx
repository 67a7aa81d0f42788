import { nextSearch } from "../api/send.ts"
import { useForgotPassword, useSignInOptions } from "../api/sign-in.ts"
import { Button } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { SignInLayout, TextLink } from "../sign-in/sign-in-layout.tsx"

/** Sends a link to a new password, or says who can make one. */
export default function ForgotPasswordPage() {
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
