import { useState } from "react"
import { useAccount } from "../api/account.ts"

/**
 * What a person typed and the service has not stored yet. It survives a failure, another page, a reload and a new sign-in in the same tab.
 * The person's sign-out removes it.
 * @param name of the field, with the date or thing that it belongs to
 * @returns undefined if there is nothing that waits
 */
export function useDraft(
  name: string,
): readonly [draft: string | undefined, keep: (draft: string | undefined) => void] {
  const email = useAccount().data?.user.email ?? ""
  const key = `${PREFIX}${email} ${name}`
  const [draft, setDraft] = useState(() => sessionStorage.getItem(key) ?? undefined)
  const keep = (next: string | undefined): void => {
    if (next === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, next)
    setDraft(next)
  }
  return [draft, keep]
}

const PREFIX = "draft "

/** Removes everybody's drafts of this tab. */
export function removeDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
