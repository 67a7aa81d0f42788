// Where a data point is from. Google mirrors what other apps wrote on the phone: the same facts as those apps have, and copies here.
import { isOfStrava, OTHER_SOURCE } from "../contract/records.ts"
import { cutText } from "../normalize/storable-text.ts"
import type { GoogleDataSource } from "./wire.ts"

const LONGEST_DEVICE = 200

export const isCopy = (source: GoogleDataSource): boolean =>
  source?.platform === "HEALTH_KIT" || source?.platform === "HEALTH_CONNECT"

const nameOf = (source: GoogleDataSource): string | undefined => {
  const { device, application, platform } = source ?? {}
  const names = [
    device?.displayName,
    device?.manufacturer,
    application?.packageName,
    application?.webClientId,
    application?.googleWebClientId,
    platform,
  ]
  const name = names.find((each) => each?.trim())
  return name ? cutText(name.trim(), LONGEST_DEVICE) : undefined
}

/** What a record says of its source: a copy names its device or app, and what Strava gave is nothing for assistants. */
export function sourceFields(source: GoogleDataSource): {
  readonly device?: string
  readonly copyOf?: string
  readonly assistants?: false
} {
  const names = [source?.application?.packageName, source?.device?.displayName].filter((name) => name != null)
  const strava = names.find(isOfStrava)
  if (strava)
    return {
      device: cutText(strava, LONGEST_DEVICE),
      assistants: false,
      ...(isCopy(source) && { copyOf: OTHER_SOURCE }),
    }
  if (!isCopy(source)) return {}
  return { device: nameOf(source) ?? "another app", copyOf: OTHER_SOURCE }
}
