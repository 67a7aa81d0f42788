import { adapterOf } from "../connection/adapter-of.ts"
import type { Context } from "../context/context.ts"
import { NotFound, Unauthorized } from "../context/errors.ts"

/**
 * Answers a vendor's question whether the address of its webhooks belongs to the app of this service.
 * @throws {NotFound} for a vendor that asks no such question
 * @throws {Unauthorized} when the question is not the vendor's
 */
export function answerChallenge(
  context: Pick<Context, "adapters">,
  provider: string,
  query: URLSearchParams,
): { readonly challenge: string } {
  const { webhookSubscriber } = adapterOf(context, provider)
  if (!webhookSubscriber) throw new NotFound(`${provider} asks for no challenge, it sends its webhooks here with POST`)
  const answer = webhookSubscriber.answerChallenge(query)
  if (!answer) throw new Unauthorized(`this is no challenge by ${provider} for the app of this service`)
  return answer
}
