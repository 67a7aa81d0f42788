import { useState } from "react"
import { useResetLinkOf } from "../api/people.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { NewLink } from "./new-link.tsx"

/** Makes a link to a new password for a person. */
export function ResetLinkForm({ id, email }: { id: string; email: string }) {
  const make = useResetLinkOf(id)
  const [removesTwoFactor, setRemovesTwoFactor] = useState(false)
  if (make.data)
    return (
      <NewLink link={make.data.link} expiresAt={make.data.expires_at} label={`Link to a new password for ${email}`} />
    )
  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line p-4 text-sm">
      <p className="text-muted">
        The link lets {email} choose a new password and ends all sessions. Give it only to that person.
      </p>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4"
          checked={removesTwoFactor}
          onChange={({ target }) => setRemovesTwoFactor(target.checked)}
        />
        Also turn sign-in codes off, because the app and the recovery codes are lost
      </label>
      {make.error && <FailureNotice error={make.error} />}
      <div>
        <Button look="primary" isBusy={make.isPending} onClick={() => make.mutate(removesTwoFactor)}>
          Make link
        </Button>
      </div>
    </div>
  )
}
