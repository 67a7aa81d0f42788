/** Why a broker or Home Assistant cannot be used, in words for the operator. */

export type FaultCode = "refused" | "unreachable" | "certificate" | "silent" | "protocol"

/** The message is for the operator. It contains neither a password nor a token. */
export class HomeAssistantFault extends Error {
  override readonly name = "HomeAssistantFault"
  readonly code: FaultCode

  constructor(code: FaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const FAULTS: readonly (readonly [RegExp, FaultCode, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, "unreachable", "this name is not known: check its spelling"],
  [/ECONNREFUSED/, "unreachable", "nothing answers on this port"],
  [/EHOSTUNREACH|ENETUNREACH/, "unreachable", "there is no way to this address from here"],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|wrong version number/,
    "certificate",
    "its TLS certificate is not valid, or it does not speak TLS on this port",
  ],
  [/ETIMEDOUT|Timeout|timeout|connack/i, "silent", "it does not answer within 10 seconds"],
]

/** MQTT 3.1.1 section 3.2.2.3. */
const CONNACK: readonly (readonly [RegExp, string])[] = [
  [/Bad username or password|Not authorized|Connection refused: [45]/i, "it refuses the user name or the password"],
  [/Identifier rejected|Connection refused: 2/i, "it refuses the name of the client"],
  [/Server unavailable|Connection refused: 3/i, "it takes no connections now"],
]

/** @param what the program, as in "the broker" */
export function describeFault(error: unknown, what: string): HomeAssistantFault {
  if (error instanceof HomeAssistantFault) return error
  const text = textOf(error)
  const refusal = CONNACK.find(([pattern]) => pattern.test(text))
  if (refusal) return new HomeAssistantFault("refused", `${what} was reached, and ${refusal[1]}`, { cause: error })
  const found = FAULTS.find(([pattern]) => pattern.test(text))
  if (found) return new HomeAssistantFault(found[1], `${what} cannot be reached: ${found[2]}`, { cause: error })
  return new HomeAssistantFault("protocol", `${what} closed the connection: check the address and the port`, {
    cause: error,
  })
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return ""
  const inner = error instanceof AggregateError ? error.errors : [error.cause]
  const own = `${error.name} ${"code" in error ? String(error.code) : ""} ${error.message}`
  return [own, ...inner.map(textOf)].join(" ")
}
