import { ServiceFailure } from "../api/send.ts"
import { Button } from "./button.tsx"
import { Notice } from "./notice.tsx"

/** What went wrong, in the service's own words, and a way to try again. */
export const FailureNotice = ({ error, onRetry }: { error: Error; onRetry?: () => void }) => (
  <Notice
    tone="poor"
    title={sentence(error.message)}
    {...(onRetry && { action: <Button onClick={onRetry}>Try again</Button> })}
  >
    {error instanceof ServiceFailure && error.retryAfterSeconds !== undefined && (
      <p>It makes sense to try again in {waitText(error.retryAfterSeconds)}.</p>
    )}
  </Notice>
)

const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`

const waitText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`
