import type { OauthRecords } from "@restwell/core"
import type Provider from "oidc-provider"
import { z } from "zod"

const TokenReplySchema = z.looseObject({ refresh_token: z.string().optional(), expires_in: z.number().optional() })
const RefreshSchema = z.looseObject({ grant_type: z.literal("refresh_token"), refresh_token: z.string() })

/**
 * Makes the token endpoint consume a code or refresh token in one transaction with the tokens it issues. A second request with the same
 * refresh token gets the response of the first, after the library has authenticated the client and checked the grant. @see RFC 9700 4.14.2
 */
export function exchangeInTransaction(provider: Provider, records: OauthRecords, tokenPath: string): void {
  provider.use(async (context, next) => {
    if (context.path !== tokenPath || context.method !== "POST") return next()
    let isLost = false
    await records.exchange(async (exchange) => {
      await next()
      isLost = exchange.isLost
      if (context.status !== 200) return false
      await keepReply(records, { parameters: context["oidc"]?.params, reply: context.body })
      return true
    })
    const first = isLost ? await firstReply(records, context["oidc"]?.params) : undefined
    if (!first) return
    context.status = 200
    context.body = first
  })
}

interface Exchange {
  readonly parameters: unknown
  readonly reply: unknown
}

/** The refresh token of the request, if there is one. */
const presentedToken = (parameters: unknown): string | undefined => {
  const parsed = RefreshSchema.safeParse(parameters)
  return parsed.success ? parsed.data.refresh_token : undefined
}

async function keepReply(records: OauthRecords, { parameters, reply }: Exchange): Promise<void> {
  const token = presentedToken(parameters)
  const { refresh_token: successor } = TokenReplySchema.parse(reply)
  if (token === undefined || successor === undefined || successor === token) return
  await records.storeReply({ token, successor, reply: JSON.stringify(reply) })
}

/** The response to the first request; undefined once it has expired. */
async function firstReply(records: OauthRecords, parameters: unknown): Promise<object | undefined> {
  const token = presentedToken(parameters)
  const kept = token === undefined ? undefined : await records.findReply(token)
  if (!kept) return undefined
  const reply = TokenReplySchema.parse(JSON.parse(kept.reply))
  return { ...reply, expires_in: Math.max(1, (reply.expires_in ?? 1) - kept.ageSeconds) }
}
