import { type SourceSettingsResponse, SourceSettingsResponseSchema, type SourceType } from "@restwell/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ServiceFailure, send } from "./send.ts"

const KEY = ["sources"]
const PATH = "/api/account/sources"

/** The person's order and choices, and the dates on which the sources differ. */
export const useSources = (enabled = true) =>
  useQuery({ queryKey: KEY, queryFn: () => send(PATH, SourceSettingsResponseSchema), enabled })

/** A new order of some types, or all choices for dates. */
interface SourceChange {
  readonly order?: Partial<Record<SourceType, string[]>>
  readonly choices?: SourceSettingsResponse["choices"]
}

/** Saves an order or the choices. The page shows the change at once, and takes it back when it was not saved. */
export function useSaveSources() {
  const queries = useQueryClient()
  return useMutation({
    // One after the other: each list of choices contains the one before.
    scope: { id: PATH },
    mutationFn: (settings: SourceChange) => send(PATH, SourceSettingsResponseSchema, { method: "PUT", body: settings }),
    onMutate: async (settings) => {
      await queries.cancelQueries({ queryKey: KEY })
      const before = queries.getQueryData<SourceSettingsResponse>(KEY)
      if (before) queries.setQueryData<SourceSettingsResponse>(KEY, applied(before, settings))
      return before
    },
    onError: (error, _settings, before) => {
      queries.setQueryData(KEY, before)
      // Without a response, nobody knows whether it was saved.
      if (error instanceof ServiceFailure && error.status === 0) void queries.invalidateQueries({ queryKey: KEY })
    },
    // Every figure may change with its source.
    onSuccess: () => queries.invalidateQueries(),
  })
}

/** The settings after a change. Which source answers on a date is only known where it is chosen by hand. */
function applied(before: SourceSettingsResponse, { order, choices }: SourceChange): SourceSettingsResponse {
  const made = choices ?? before.choices
  return {
    ...before,
    order: { ...before.order, ...order },
    choices: made,
    differences: before.differences.map((difference) => {
      const choice = made.find(({ type, date }) => type === difference.type && date === difference.date)
      if (!choice) return difference
      const values = difference.values.map((value) => ({
        ...value,
        chosen: value.source === choice.source,
        chosen_because: value.source === choice.source ? ("your_choice" as const) : null,
      }))
      return { ...difference, values }
    }),
  }
}
