import { IngestTokenResponseSchema, IngestTokensResponseSchema } from "@restwell/client"
import { useQuery } from "@tanstack/react-query"
import { NO_BODY, send, useChange } from "./send.ts"

const PATH = "/api/account/ingest-tokens"

/** The person's tokens for pushes. */
export const useIngestTokens = () =>
  useQuery({ queryKey: ["ingest-tokens"], queryFn: () => send(PATH, IngestTokensResponseSchema) })

/** Makes a token. It is in the memory of this page and nowhere else. */
export const useCreateIngestToken = () =>
  useChange(
    async (name: string) => (await send(PATH, IngestTokenResponseSchema, { method: "POST", body: { name } })).token,
    0,
  )

export const useEndIngestToken = () =>
  useChange((id: string) => send(`${PATH}/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" }))
