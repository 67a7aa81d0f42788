import { useRotateApiKey } from "../api/account.ts"
import { Button } from "./button.tsx"
import { CodeBlock } from "./code-block.tsx"
import { FailureNotice, Notice } from "./notice.tsx"

/** A new key. It is in the memory of this page and nowhere else. */
export const NewKey = ({ apiKey }: { apiKey: string }) => (
  <div className="flex flex-col gap-3 text-sm text-muted">
    <p role="status" className="font-medium text-text">
      Copy your key now and store it safely. You cannot view it again.
    </p>
    <CodeBlock label="API key" text={apiKey} />
    <p>Try it in a terminal:</p>
    <CodeBlock
      label="curl command"
      text={`curl -H "Authorization: Bearer ${apiKey}" "${window.location.origin}/api/v1/health?type=sleep&days=7"`}
    />
  </div>
)

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
