import { useRotateApiKey } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { NewKey } from "../components/new-key.tsx"
import { Notice } from "../components/notice.tsx"

/** Anybody who knew the old password could have made or copied the key. */
export function KeyQuestion() {
  const rotate = useRotateApiKey()
  if (rotate.data !== undefined) return <NewKey apiKey={rotate.data} />
  return (
    <Notice title="Replace the API key too?">
      <p>Your API key still works. If somebody else knew your password, that person may have a key.</p>
      <div className="mt-3">
        <Button isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
          Replace the API key
        </Button>
      </div>
      {rotate.error && <FailureNotice error={rotate.error} />}
    </Notice>
  )
}
