import type { useSignUp } from "../api/sign-in.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, NewPasswordField, TextField, useFields } from "../components/form.tsx"
import { FailureNotice } from "../components/notice.tsx"

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
