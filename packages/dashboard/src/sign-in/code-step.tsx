import { ServiceFailure } from "../api/send.ts"
import { useCodeSignIn } from "../api/sign-in.ts"
import { Button } from "../components/button.tsx"
import { CodeField, Form, useFields } from "../components/form.tsx"
import { FailureNotice } from "../components/notice.tsx"
import { SignInLayout } from "./sign-in-layout.tsx"

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
