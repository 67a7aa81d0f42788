import { useSearchParams } from "wouter"

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
