import { QueryCache, QueryClient } from "@tanstack/react-query"
import { ServiceFailure } from "./send.ts"
import { signInPath } from "./sign-in-path.ts"

const STALE_MS = 30_000
const TRIES = 2

/** What was read a moment ago is shown at once and read again when the person comes back to the page. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < TRIES && isWorthRetrying(error),
      },
    },
  })
}

const isWorthRetrying = (error: Error): boolean =>
  error instanceof ServiceFailure && (error.status === 0 || error.status >= 500)

/** The session ended elsewhere: the way in, and back here afterwards. */
function leaveWhenSignedOut(error: Error): void {
  if (error instanceof ServiceFailure && error.status === 401)
    window.location.assign(signInPath(window.location.pathname, "session_ended"))
}
