import { type InputHTMLAttributes, useId } from "react"

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
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        {...input}
        aria-invalid={error !== undefined}
        {...(describedBy !== "" && { "aria-describedby": describedBy })}
        className="min-h-10 w-full rounded-lg border border-line-strong bg-canvas px-3 text-base text-text placeholder:text-muted aria-invalid:border-poor sm:text-sm"
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
