import { Toggle } from "@base-ui/react/toggle"
import { ToggleGroup } from "@base-ui/react/toggle-group"
import type { SelectHTMLAttributes } from "react"
import { useSearchParams } from "wouter"
import { OnPhone } from "./page.tsx"

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string
  readonly options: readonly (readonly [value: string, text: string])[]
}

export const Select = ({ label, options, ...select }: SelectProps) => (
  <label className="flex min-w-0 flex-col gap-1.5 text-sm font-medium">
    {label}
    <select
      {...select}
      className="min-h-10 w-full min-w-0 rounded-lg border border-line-strong bg-canvas px-3 text-base font-normal max-sm:min-h-11 max-sm:px-2 sm:text-sm"
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** A choice between a few options, side by side. A phone has their short labels. */
export const Segmented = <Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { readonly value: Value; readonly label: string; readonly short?: string }[]
  /** Undefined for none of the options. */
  value: Value | undefined
  onChange: (value: Value) => void
}) => (
  <ToggleGroup
    aria-label={label}
    value={value === undefined ? [] : [value]}
    onValueChange={([chosen]) => {
      const option = options.find((each) => each.value === chosen)
      if (option) onChange(option.value)
    }}
    className="inline-flex rounded-lg border border-line bg-raised p-0.5 max-sm:flex max-sm:w-full"
  >
    {options.map((option) => (
      <Toggle
        key={option.value}
        value={option.value}
        className="min-h-8 rounded-md px-3 text-sm whitespace-nowrap max-sm:min-h-11 max-sm:flex-auto max-sm:px-1.5 text-muted data-pressed:bg-surface data-pressed:font-medium data-pressed:text-text data-pressed:shadow-sm"
      >
        {option.short === undefined ? option.label : <OnPhone short={option.short}>{option.label}</OnPhone>}
      </Toggle>
    ))}
  </ToggleGroup>
)

/** A choice of several of a few options, side by side, of which at least one is chosen and one is not. */
export const SeveralOf = <Value extends string>({
  label,
  options,
  values,
  onChange,
}: {
  label: string
  options: readonly { readonly value: Value; readonly label: string; readonly short: string }[]
  values: readonly Value[]
  /** @param values in the order of the options */
  onChange: (values: Value[]) => void
}) => (
  <ToggleGroup
    multiple
    aria-label={label}
    value={values}
    onValueChange={(pressed) => {
      const chosen = options.map(({ value }) => value).filter((value) => pressed.includes(value))
      if (chosen.length > 0 && chosen.length < options.length) onChange(chosen)
    }}
    className="inline-flex rounded-lg border border-line bg-raised p-0.5 max-sm:flex max-sm:w-full"
  >
    {options.map(({ value, label: name, short }) => (
      <Toggle
        key={value}
        value={value}
        className="min-h-8 rounded-md px-2 text-sm max-sm:min-h-11 max-sm:flex-auto max-sm:px-1 text-muted data-pressed:bg-surface data-pressed:font-medium data-pressed:text-text data-pressed:shadow-sm"
      >
        <span aria-hidden>{short}</span>
        <span className="sr-only">{name}</span>
      </Toggle>
    ))}
  </ToggleGroup>
)

type Change = Readonly<Record<string, string | undefined>>

/** Whether the browser's Back returns to the state before a change. */
type History = "replace" | "push"

/** State in the page's URL, so that a link or a reload shows the same. */
export function useUrlState(): readonly [state: URLSearchParams, change: (changed: Change, history?: History) => void] {
  const [state, setState] = useSearchParams()
  const change = (changed: Change, history: History = "replace"): void =>
    setState(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changed)) {
          if (value === undefined) after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: history === "replace" },
    )
  return [state, change]
}
