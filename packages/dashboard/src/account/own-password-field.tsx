import type { ComponentProps } from "react"
import { TextField } from "../components/text-field.tsx"
import { isWrongPassword } from "./wrong-password.ts"

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
