import { ServiceFailure } from "../api/send.ts"
import { sentence, waitText } from "../format/sentence.ts"
import { Button } from "./button.tsx"
import { Notice } from "./notice.tsx"

/** The service's error message, with a button to try again. */
export const FailureNotice = ({ error, onRetry }: { error: Error; onRetry?: () => void }) => (
  <Notice
    tone="poor"
    title={sentence(error.message)}
    {...(onRetry && { action: <Button onClick={onRetry}>Try again</Button> })}
  >
    {error instanceof ServiceFailure && error.retryAfterSeconds !== undefined && (
      <p>Try again in {waitText(error.retryAfterSeconds)}.</p>
    )}
  </Notice>
)
