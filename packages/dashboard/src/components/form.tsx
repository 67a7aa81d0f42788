import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react"
import { ServiceFailure } from "../api/send.ts"

/** A form that is submitted by script. */
export const Form = ({
  onSubmit,
  className,
  children,
}: {
  onSubmit: () => void
  className: string
  children: ReactNode
}) => (
  <form
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
    className={`flex flex-col ${className}`}
  >
    {children}
  </form>
)

/** The text fields of a form: their values, the props of each input, and a reset. */
export function useFields<Name extends string>(initial: Readonly<Record<Name, string>>) {
  const [values, setValues] = useState(initial)
  const field = (name: Name) => ({
    name,
    value: values[name],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  return { values, field, reset: () => setValues(initial) }
}

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly hint?: string
  /** Why the value is invalid. */
  readonly error?: string | undefined
}

export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [hint !== undefined && hintId, error !== undefined && errorId].filter(Boolean).join(" ")
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium wrap-anywhere">
        {label}
      </label>
      <input
        id={id}
        {...input}
        aria-invalid={error !== undefined}
        {...(describedBy !== "" && { "aria-describedby": describedBy })}
        className="min-h-10 max-sm:min-h-11 w-full rounded-lg border border-line-strong bg-canvas px-3 text-base text-text placeholder:text-muted aria-invalid:border-poor sm:text-sm"
      />
      {hint !== undefined && (
        <p id={hintId} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={errorId} className="text-sm text-poor">
          {error}
        </p>
      )}
    </div>
  )
}

/** Returns the service's message about this field, to display at the field. */
export const fieldError = (error: Error | null, name: string): string | undefined =>
  isFieldError(error, [name]) ? `${error.message}.` : undefined

/** True if the error is about one of these fields. */
export const isFieldError = (error: Error | null, names: readonly string[]): error is ServiceFailure =>
  error instanceof ServiceFailure && error.field !== undefined && names.includes(error.field)

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
