import type { ReactNode } from "react"

interface SwitchProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}

/** A setting that is on or off, with its name beside it. */
export const Switch = ({ isOn, onChange, children }: SwitchProps) => (
  <label className="flex min-h-8 w-fit items-center gap-3 text-sm font-medium max-sm:min-h-11">
    <span className="relative h-5 w-9 shrink-0">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 rounded-full border border-line-strong bg-raised transition-colors after:absolute after:top-0.5 after:left-0.5 after:size-3.5 after:rounded-full after:bg-muted after:transition-transform peer-checked:border-accent peer-checked:bg-accent peer-checked:after:translate-x-4 peer-checked:after:bg-on-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent"
      />
    </span>
    {children}
  </label>
)
