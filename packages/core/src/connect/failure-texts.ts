// Why a connection does not deliver, and the next step. The page, `status_reason` of the API and `restwell doctor` show these sentences.
import { sourceName } from "@restwell/client/figures"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import {
  AccessTokenRejected,
  AppRefused,
  AuthorizationRevoked,
  ContractViolation,
  type FailedCollection,
  type ProviderError,
  type RecordKind,
  RequestRefused,
  type VendorCollections,
  vendorOf,
} from "@restwell/providers"

type Failure =
  | "access_ended"
  | "access_rejected"
  | "key_ended"
  | "tokens_unreadable"
  | "app_refused"
  | "not_allowed"
  | "app_outdated"
  | "refused"
  | "unknown_form"
  | "no_answer"
  | "unexpected"
  | "limit"

/** What is wrong, and what helps. `at` is when Restwell tries again. */
const TEXTS: Readonly<Record<Failure, (vendor: string, at: string) => string>> = {
  access_ended: (vendor) => `${vendor} has ended Restwell's access. Connect again`,
  access_rejected: (vendor) =>
    `${vendor} ended Restwell's access right after it was renewed. Restwell tries again by itself. If it stays, connect again`,
  key_ended: (vendor) =>
    `${vendor} no longer accepts your key. Enter the key that it shows now on the page Connections`,
  tokens_unreadable: () => "the stored tokens cannot be decrypted with this server's secret. Connect again",
  app_refused: (vendor) =>
    `${vendor} does not accept this server's app. Its owner corrects the client id and secret on the page Service`,
  not_allowed: (vendor) =>
    `${vendor} does not allow the data. Connect again with every box ticked, or renew the ${vendor} membership`,
  app_outdated: (vendor) =>
    `${vendor} withholds the data until its app is updated. Update the ${vendor} app on the phone and open it`,
  refused: (vendor) => `${vendor} refuses the requests of this server. Its owner finds the cause in the log`,
  unknown_form: (vendor) => `${vendor} sent data in a form that is not known. This server needs a newer Restwell`,
  no_answer: (vendor) => `${vendor} does not answer. Restwell tries again by itself`,
  unexpected: (_, at) => `an unexpected error stopped the sync. It is tried again at ${at}`,
  limit: (vendor, at) => `${vendor}'s limit of calls is reached. The sync continues at about ${at}`,
}

/** Returns the sentences of a failure, without the last full stop. */
export const failureText = (provider: string, failure: Failure, at?: Date): string =>
  TEXTS[failure](sourceName(provider), at ? minuteText(at) : "")

/**
 * Returns what people should know a day before their access may end: whether the operator's app is on trial is known only then. A grant that
 * outlived it is none of a trial.
 */
export function endingText(
  { provider, connectedAt }: { readonly provider: string; readonly connectedAt: Date },
  now: Date,
): string | null {
  const vendor = vendorOf(provider)
  if (vendor?.access !== "oauth" || !vendor.trialGrant) return null
  const endsAt = new Date(connectedAt.getTime() + vendor.trialGrant.days * DAY_MS)
  if (now.getTime() < endsAt.getTime() - DAY_MS || now >= endsAt) return null
  return `${sourceName(provider)} may end Restwell's access at ${minuteText(endsAt)}. ${vendor.trialGrant.note} Connect again now, and nothing stops`
}

interface CollectionText {
  readonly reason: string
  readonly nextStep: string
  /** True if connecting again may help. */
  readonly helpsReconnect: boolean
}

const ASKS_AGAIN = "Restwell asks again by itself"

/** Returns why a collection gives nothing, and what helps, without full stops. */
export function collectionText(
  provider: string,
  { collection, error }: FailedCollection,
  { all, allowStep }: VendorCollections,
): CollectionText {
  const vendor = sourceName(provider)
  const title = all.find(({ name }) => name === collection)?.title ?? collection
  if (error instanceof RequestRefused && error.advice) return { ...error.advice, helpsReconnect: true }
  if (error instanceof RequestRefused && error.needsAppUpdate)
    return {
      reason: `${vendor} withholds ${title} until its app is updated`,
      nextStep: `Update the ${vendor} app on the phone and open it`,
      helpsReconnect: false,
    }
  if (error instanceof AccessTokenRejected)
    return {
      reason: `${vendor} ended Restwell's access to ${title} right after it was renewed`,
      nextStep: `${ASKS_AGAIN}. If it stays, connect ${vendor} again`,
      helpsReconnect: true,
    }
  if (error instanceof RequestRefused && error.isForbidden)
    return { reason: `${vendor} does not allow ${title}`, nextStep: allowStep, helpsReconnect: true }
  if (error instanceof RequestRefused)
    return {
      reason: `${vendor} refuses ${title}`,
      nextStep: `${ASKS_AGAIN}. This server's log has the cause`,
      helpsReconnect: false,
    }
  if (error instanceof ContractViolation)
    return {
      reason: `${vendor} sent ${title} in a form that is not known`,
      nextStep: `${ASKS_AGAIN}. If it stays, this server needs a newer Restwell`,
      helpsReconnect: false,
    }
  return { reason: `${vendor} does not deliver ${title} for now`, nextStep: ASKS_AGAIN, helpsReconnect: false }
}

const RECORD_WORDS: Readonly<Record<RecordKind, string>> = {
  sleep: "sleep",
  recovery: "recovery",
  workout: "workout",
  cycle: "day",
}

/** Returns why a record was set aside, without a full stop. */
export const setAsideText = (provider: string, kind: RecordKind): string =>
  `${sourceName(provider)} sent this ${RECORD_WORDS[kind]} in a form that Restwell does not read yet. It is asked for again`

/** Returns the sentences of a vendor's error. The error itself names a path of the vendor's API, which says nothing to a person. */
export const vendorFailureText = (provider: string, error: ProviderError): string =>
  error instanceof RequestRefused && error.advice
    ? `${sourceName(provider)}: ${error.advice.reason}. ${error.advice.nextStep}`
    : failureText(provider, failureOf(error))

function failureOf(error: ProviderError): Failure {
  if (error instanceof AuthorizationRevoked) return "access_ended"
  if (error instanceof AccessTokenRejected) return "access_rejected"
  if (error instanceof AppRefused) return "app_refused"
  if (error instanceof ContractViolation) return "unknown_form"
  if (error instanceof RequestRefused && error.needsAppUpdate) return "app_outdated"
  if (error instanceof RequestRefused) return error.isForbidden ? "not_allowed" : "refused"
  return "no_answer"
}

/** `2026-11-20 12:01 UTC`, not before the instant. */
const minuteText = (at: Date): string =>
  `${new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16).replace("T", " ")} UTC`
