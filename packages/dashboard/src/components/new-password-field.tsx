import type { ComponentProps } from "react"
import { TextField } from "./text-field.tsx"

/** A password that a person chooses: its length is the server's rule. */
export const NewPasswordField = (field: Omit<ComponentProps<typeof TextField>, "type" | "hint">) => (
  <TextField
    {...field}
    type="password"
    autoComplete="new-password"
    minLength={8}
    maxLength={128}
    hint="At least 8 characters. Several random words are easy to remember and hard to guess."
  />
)
