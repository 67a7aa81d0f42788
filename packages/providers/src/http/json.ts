import { VendorUnavailable } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { Answer } from "./exchange.ts"

/**
 * Returns the JSON of a successful answer's body.
 * @throws {VendorUnavailable} for a body that is cut short, HTML or empty, as proxies and failing servers send
 */
export function readJson(answer: Answer, operation: string): Json {
  try {
    const json: Json = JSON.parse(answer.text)
    return json
  } catch {
    // No cause: the SyntaxError quotes the body, which holds health data or a token.
    throw new VendorUnavailable(`${operation} answered ${answer.status} with a body that is not JSON`)
  }
}
