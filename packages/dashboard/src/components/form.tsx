import { type ReactNode, useState } from "react"

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
