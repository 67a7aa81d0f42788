/* Links for others that open a report. */
import { SharedReportSchema, type ShareRequest, ShareResponseSchema, SharesResponseSchema } from "@restwell/client"
import { type QueryClient, useQuery } from "@tanstack/react-query"
import { keepBrowserPreferences } from "./preferences.ts"
import { createQueryClient, NO_BODY, send, useChange } from "./send.ts"

const PATH = "/api/account/shares"

/** The person's shares. */
export const useShares = () => useQuery({ queryKey: ["shares"], queryFn: () => send(PATH, SharesResponseSchema) })

/** Makes a share. Its link is in the memory of this page and nowhere else. */
export const useCreateShare = () =>
  useChange(async (body: ShareRequest) => (await send(PATH, ShareResponseSchema, { method: "POST", body })).url, 0)

export const useEndShare = () =>
  useChange((id: string) => send(`${PATH}/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" }))

/** The report that a link opens. The token is in the memory of this page and in its address. */
export const useSharedReport = (token: string) =>
  useQuery({
    queryKey: ["shared"],
    queryFn: () => send("/api/shared/report", SharedReportSchema, { token }),
  })

/** The queries of a page without an account: who reads it has the preferences of their browser. */
export function createSharedQueries(): QueryClient {
  const queries = createQueryClient({ isSignedIn: false })
  keepBrowserPreferences(queries)
  return queries
}
