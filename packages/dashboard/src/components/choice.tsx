import { Toggle } from "@base-ui/react/toggle"
import { ToggleGroup } from "@base-ui/react/toggle-group"
import type { SelectHTMLAttributes } from "react"
import { useSearchParams } from "wouter"

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string
  readonly options: readonly (readonly [value: string, text: string])[]
}

export const Select = ({ label, options, ...select }: SelectProps) => (
  <label className="flex flex-col gap-1.5 text-sm font-medium">
    {label}
    <select
      {...select}
      className="min-h-10 rounded-lg border border-line-strong bg-canvas px-3 text-base font-normal sm:text-sm"
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** A choice between a few options, side by side. */
export const Segmented = <Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { readonly value: Value; readonly label: string }[]
  value: Value
  onChange: (value: Value) => void
}) => (
  <ToggleGroup
    aria-label={label}
    value={[value]}
    onValueChange={([chosen]) => {
      const option = options.find((each) => each.value === chosen)
      if (option) onChange(option.value)
    }}
    className="inline-flex rounded-lg border border-line bg-raised p-0.5"
  >
    {options.map((option) => (
      <Toggle
        key={option.value}
        value={option.value}
        className="min-h-8 rounded-md px-3 text-sm text-muted data-pressed:bg-surface data-pressed:font-medium data-pressed:text-text data-pressed:shadow-sm"
      >
        {option.label}
      </Toggle>
    ))}
  </ToggleGroup>
)

type Change = Readonly<Record<string, string | undefined>>

/** State in the page's URL, so that a link or a reload shows the same. A change replaces the entry in the browser's history. */
export function useUrlState(): readonly [state: URLSearchParams, change: (changed: Change) => void] {
  const [state, setState] = useSearchParams()
  const change = (changed: Change): void =>
    setState(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changed)) {
          if (value === undefined) after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: true },
    )
  return [state, change]
}
