import type { SelectHTMLAttributes } from "react"

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
