import type { Json } from "../contract/adapter.ts"
import { VendorUnavailable } from "../contract/errors.ts"
import type { Answer } from "./exchange.ts"

/**
 * Returns the JSON of a successful answer's body.
 * @throws {VendorUnavailable} for a body cut short, an HTML page, or nothing: a proxy's or a failing server's doing
 */
export function readJson(answer: Answer, operation: string): Json {
  try {
    const json: Json = JSON.parse(answer.text)
    return json
  } catch {
    // The SyntaxError is not passed on as the cause: it quotes the body, which holds health data or a token.
    throw new VendorUnavailable(`${operation} answered ${answer.status} with a body that is not JSON`)
  }
}
