import { QueryCache, QueryClient } from "@tanstack/react-query"
import { ServiceFailure } from "./send.ts"
import { signInPath } from "./sign-in-path.ts"

const STALE_MS = 30_000
const MAX_RETRIES = 2

/** Returns the client of all queries. Cached data is displayed at once, and refetched in the background when stale. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: redirectWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
      },
    },
  })
}

const isTemporary = (error: Error): boolean =>
  error instanceof ServiceFailure && (error.status === 0 || error.status >= 500)

/** After the session has ended, signs in again and returns to the same page. */
function redirectWhenSignedOut(error: Error): void {
  if (error instanceof ServiceFailure && error.status === 401)
    window.location.assign(signInPath(window.location.pathname, "session_ended"))
}
