import { type AddressCheck, AddressRequestSchema } from "@restwell/client"
import { Conflict, InvalidRequest, recordSecurityEvent, writeServiceSettings } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { origin } from "../../config/environment.ts"
import { networkOf } from "../../network/network-of.ts"
import { checkAddress } from "../../setup/check-address.ts"
import { parseBody } from "../plumbing/parse-body.ts"
import type { SessionHandler } from "../plumbing/session.ts"
import type { OperationServices } from "./operation-services.ts"

/** POST /api/service/address/check */
export const checkAddressHandler =
  ({ secrets }: OperationServices): SessionHandler =>
  async (_session, _reply, request): Promise<AddressCheck> =>
    checkAddress(readAddress(request), secrets()[0])

/** PUT /api/service/address: from the next request on, in every process within seconds. */
export const setAddressHandler =
  ({ context, live }: OperationServices): SessionHandler =>
  async ({ userId }, reply, request) => {
    if (live.current().addressSource === "environment")
      throw new Conflict("BASE_URL in the environment sets the address, and takes precedence")
    const address = readAddress(request)
    await writeServiceSettings(context, { BASE_URL: address })
    const network = networkOf(request.ip)
    await recordSecurityEvent(context, userId, { type: "public_address_changed", detail: address, network })
    await live.refresh()
    return reply.send({ address })
  }

/** @throws {InvalidRequest} */
function readAddress(request: FastifyRequest): string {
  const { address } = parseBody(request, AddressRequestSchema)
  const parsed = origin.safeParse(address.trim())
  if (parsed.success) return parsed.data
  throw new InvalidRequest(`the address ${parsed.error.issues[0]?.message ?? "is not valid"}`, "address")
}
