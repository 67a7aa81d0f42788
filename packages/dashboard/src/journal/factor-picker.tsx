import { factorName } from "./factor-name.ts"
import { NO_FACTOR } from "./use-marked-factor.ts"

/** Selects the factor of the journal that charts mark. */
export const FactorPicker = ({
  factors,
  factor,
  pick,
}: {
  factors: readonly string[]
  factor: string
  pick: (factor: string) => void
}) => (
  <label className="flex items-center gap-2 text-sm text-muted">
    Mark
    <select
      value={factor}
      onChange={({ target }) => pick(target.value)}
      className="min-h-9 max-w-44 rounded-lg border border-line-strong bg-surface px-2 text-text"
    >
      <option value={NO_FACTOR}>nothing</option>
      {factors.map((each) => (
        <option key={each} value={each}>
          {factorName(each)}
        </option>
      ))}
    </select>
  </label>
)
