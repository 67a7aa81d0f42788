import { useEffect, useRef } from "react"
import { TextField } from "./text-field.tsx"

interface CodeFieldProps {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly name: string
  readonly value: string
  readonly onChange: (event: { target: { value: string } }) => void
  /** Takes the focus when it appears: it is the next step of what the person began. */
  readonly isNextStep?: boolean
}

/** A field for a code of an authenticator app, or a recovery code. */
export function CodeField({ isNextStep = false, ...field }: CodeFieldProps) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNextStep) frame.current?.querySelector("input")?.focus()
  }, [isNextStep])
  return (
    <div ref={frame}>
      <TextField
        {...field}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
      />
    </div>
  )
}
