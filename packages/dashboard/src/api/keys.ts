/* Keys that open a part of the data. */
import { type KeyRequest, KeyResponseSchema, KeysResponseSchema } from "@restwell/client"
import { useQuery } from "@tanstack/react-query"
import { NO_BODY, send, useChange } from "./send.ts"

const PATH = "/api/account/keys"

/** The person's keys with a name. */
export const useKeys = () => useQuery({ queryKey: ["keys"], queryFn: () => send(PATH, KeysResponseSchema) })

/** Makes a key. It is in the memory of this page and nowhere else. */
export const useCreateKey = () =>
  useChange(async (body: KeyRequest) => (await send(PATH, KeyResponseSchema, { method: "POST", body })).api_key, 0)

export const useEndKey = () =>
  useChange((id: string) => send(`${PATH}/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" }))
