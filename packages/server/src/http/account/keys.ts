// Keys that open a part of a person's data: to make, list and end them.
import { KeyRequestSchema, KeyResponseSchema, type KeysResponse, KeysResponseSchema } from "@restwell/client"
import { createKey, endKey, listKeys } from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../../network/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"
import type { AccountServices } from "./account.ts"

const PATH = "/api/account/keys"
const KEY_ID = z.object({ id: z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" }) })

/** Keys beside the one that opens everything. */
export const keyEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: PATH,
    access: "session",
    id: "listKeys",
    summary: "List keys",
    description:
      "Keys that open a part of the data, with what they open and their last use. The key of `POST /api/account/api-key`, which opens " +
      "everything, is not among them. The keys themselves are not stored.",
    responses: { "200": success("The keys", KeysResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      async (): Promise<KeysResponse> => ({
        keys: (await listKeys(context, userId)).map(({ expiresAt, createdAt, lastUsedAt, ...key }) => ({
          ...key,
          expires_at: expiresAt?.toISOString() ?? null,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
        })),
      }),
  },
  {
    method: "POST",
    path: PATH,
    access: "session",
    id: "createKey",
    summary: "Make a key for a part of the data",
    description:
      "The key is in this response only. It reads as the API key does, within its types and its last dates: other types and older dates are " +
      "403, a range by default is cut. All keys of a person share one quota, and the access log names the key. At most 20.",
    requestBody: jsonBody(KeyRequestSchema),
    responses: { "201": success("The key", KeyResponseSchema) },
    failures: ["tooManyKeys"],
    handle: async ({ context }, { session: { userId }, reply, request }) => {
      const wanted = parseBody(request, KeyRequestSchema)
      const { id, apiKey } = await createKey(context, { userId, network: networkOf(request.ip) }, wanted)
      return reply.code(201).send({ id, api_key: apiKey })
    },
  },
  {
    method: "DELETE",
    path: `${PATH}/:id`,
    access: "session",
    id: "endKey",
    summary: "End a key",
    description: "No read with it is answered any more. The other keys stay.",
    params: KEY_ID,
    responses: { "204": { description: "Ended" } },
    failures: ["noKey"],
    handle: async ({ context }, { session: { userId }, reply, request }) => {
      await endKey(context, { userId, id: pathParameter(request, "id"), network: networkOf(request.ip) })
      return reply.code(204).send()
    },
  },
])
