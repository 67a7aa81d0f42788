// What people wear, and each way in which its data can come. The vendor's own steps come with the account.
import type { AccountResponse, Connection } from "@restwell/client"
import { providerName } from "../format/provider-name.ts"

/** One way of data. `title` is its line while another way comes first. */
export type Way = {
  readonly provider: string
  readonly title: string
} & ({ readonly kind: "vendor" | "archive" } | { readonly kind: "push"; readonly program: "iphone" | "android" })

export interface Device {
  readonly id: string
  readonly name: string
  /** The best one first. */
  readonly ways: readonly Way[]
}

const vendor = (provider: string, title = `Connect ${providerName(provider)}`): Way => ({
  kind: "vendor",
  provider,
  title,
})
const archive = (provider: string, title = `Upload the archive of ${providerName(provider)}`): Way => ({
  kind: "archive",
  provider,
  title,
})

/** What most people wear. */
export const COMMON_DEVICES: readonly Device[] = [
  {
    id: "whoop",
    name: "WHOOP",
    ways: [vendor("whoop"), archive("whoop", "Upload the archive of WHOOP, which has your journal too")],
  },
  { id: "oura", name: "Oura", ways: [vendor("oura"), archive("oura")] },
  {
    id: "garmin",
    name: "Garmin",
    ways: [
      archive("garmin", "Upload a newer archive"),
      vendor("intervals", "New days by themselves: through intervals.icu, which Garmin can send to"),
    ],
  },
  {
    id: "apple",
    name: "Apple Watch",
    ways: [
      archive("apple_health", "Upload a newer export"),
      {
        kind: "push",
        provider: "apple_health",
        program: "iphone",
        title: "New days by themselves: a program on the iPhone sends them",
      },
    ],
  },
  {
    id: "fitbit",
    name: "Fitbit or Pixel Watch",
    ways: [vendor("google_health", "Connect Google Health"), archive("google_health", "Upload the archive of Google")],
  },
]

/** What "another" opens. */
export const OTHER_DEVICES: readonly Device[] = [
  { id: "polar", name: "Polar", ways: [vendor("polar")] },
  { id: "withings", name: "Withings", ways: [vendor("withings")] },
  { id: "ultrahuman", name: "Ultrahuman", ways: [vendor("ultrahuman")] },
  {
    id: "android",
    name: "Samsung, or another watch with Android",
    ways: [
      archive("health_connect", "Upload a newer export"),
      {
        kind: "push",
        provider: "phone",
        program: "android",
        title: "New days by themselves: a program on the phone sends them",
      },
    ],
  },
  { id: "gadgetbridge", name: "Amazfit or Xiaomi, with Gadgetbridge", ways: [archive("gadgetbridge")] },
  { id: "sleep_as_android", name: "Only a phone, with Sleep as Android", ways: [archive("sleep_as_android")] },
  { id: "intervals", name: "A watch that sends to intervals.icu", ways: [vendor("intervals")] },
]

/** The person's sources that the device is behind, by any of its ways. */
export const sourcesBehind = (
  { ways }: Device,
  { connections }: Pick<AccountResponse, "connections">,
): readonly Connection[] =>
  connections.filter(
    ({ provider, status }) => status !== "disconnected" && ways.some((way) => way.provider === provider),
  )

/** The devices that the person's sources speak for: another device's second way may be the first of this one. */
export const devicesBehind = (account: Pick<AccountResponse, "connections">): readonly Device[] =>
  [...COMMON_DEVICES, ...OTHER_DEVICES].filter((device) =>
    sourcesBehind(device, account).some(({ provider }) => provider === device.ways[0]?.provider),
  )
