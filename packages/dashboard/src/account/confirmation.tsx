import type { AccountResponse } from "@restwell/client"
import { type ComponentProps, type ReactNode, useState } from "react"
import { useAccount } from "../api/account.ts"
import { ServiceFailure } from "../api/send.ts"
import type { Confirm } from "../api/sign-in-methods.ts"
import { Button } from "../components/button.tsx"
import { TextField, useFields } from "../components/form.tsx"

/** True if a change was refused because of the current password. */
export const isWrongPassword = (error: Error): boolean =>
  error instanceof ServiceFailure && error.status === 403 && error.message.includes("current password")

type OwnPasswordFieldProps = Omit<ComponentProps<typeof TextField>, "label" | "error"> & {
  /** The failure of the change, which may be about the password or not. */
  failure: Error | null
}

/** The person's password, which confirms a change. */
export function OwnPasswordField({ failure, ...input }: OwnPasswordFieldProps) {
  return (
    <TextField
      {...input}
      label="Your password"
      type="password"
      autoComplete="current-password"
      required
      error={failure && isWrongPassword(failure) ? "Incorrect password." : undefined}
    />
  )
}

type SignInMethods = AccountResponse["sign_in"]

/** How the person confirms a change of how to sign in: the service refuses it for a session alone. */
export interface Confirmation {
  readonly confirm: Confirm
  readonly isComplete: boolean
  readonly reset: () => void
  /** What `ConfirmationField` needs. */
  readonly input: Omit<Parameters<typeof ConfirmationField>[0], "failure">
}

export function useConfirmation({
  password: hasPassword,
  passkeys,
}: Pick<SignInMethods, "password" | "passkeys">): Confirmation {
  const [usesPasskey, setUsesPasskey] = useState(false)
  const { values, field, reset } = useFields({ password: "" })
  const withPasskey = passkeys > 0 && (usesPasskey || !hasPassword)
  const withoutPasskey: Confirm = hasPassword ? { password: values.password } : "session"
  return {
    confirm: withPasskey ? "passkey" : withoutPasskey,
    isComplete: withPasskey || !hasPassword || values.password !== "",
    reset,
    input: {
      withPasskey,
      password: hasPassword && !withPasskey ? field("password") : undefined,
      onSwitch: hasPassword && passkeys > 0 ? () => setUsesPasskey(!usesPasskey) : undefined,
    },
  }
}

/** The password, or a sentence that announces the prompt for a passkey. */
export const ConfirmationField = ({
  password,
  withPasskey,
  onSwitch,
  failure,
}: {
  password: ReturnType<ReturnType<typeof useFields<"password">>["field"]> | undefined
  withPasskey: boolean
  /** Undefined where there is no choice. */
  onSwitch: (() => void) | undefined
  failure: Error | null
}) => (
  <div className="flex flex-col items-start gap-2">
    {password && (
      <div className="w-full">
        <OwnPasswordField failure={failure} {...password} />
      </div>
    )}
    {withPasskey && <p className="text-sm text-muted">Your device asks for a passkey that you have, to confirm it.</p>}
    {onSwitch && (
      <Button look="quiet" onClick={onSwitch}>
        {withPasskey ? "Confirm with the password instead" : "Confirm with a passkey instead"}
      </Button>
    )}
  </div>
)

/** True if a change was refused because nothing confirms it. */
const isUnconfirmed = (error: Error): boolean =>
  error instanceof ServiceFailure && error.status === 403 && error.message.startsWith("confirm with")

/** Nothing is asked for before the account is known. */
const NO_METHODS = { password: false, passkeys: 0 }

interface LateConfirmation {
  readonly confirm: Confirm
  readonly field: ReactNode
  /** The failure of the change, unless the field says it. */
  readonly failure: Error | null
}

/** The confirmation of a change that needs none after a recent sign-in: it is asked for once the service has refused the change. */
export function useLateConfirmation(failure: Error | null): LateConfirmation {
  const { confirm, input } = useConfirmation(useAccount().data?.sign_in ?? NO_METHODS)
  const [isAsked, setAsked] = useState(false)
  if (!isAsked && failure && isUnconfirmed(failure)) setAsked(true)
  if (!isAsked) return { confirm: "session", field: null, failure }
  const field = <ConfirmationField {...input} failure={failure} />
  return { confirm, field, failure: failure && isWrongPassword(failure) ? null : failure }
}
