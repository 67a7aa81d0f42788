/** What people wear, and each way in which its data can come. The page Get started asks for it. */
import { sourceName } from "@restwell/client/figures"
import type { VendorName } from "./registry.ts"

/** One way of data. `title` is its line while another way comes first. */
interface Way {
  readonly kind: "vendor" | "archive" | "push"
  /** The source of what it brings. */
  readonly provider: string
  readonly title: string
  /** The phone whose program pushes. Undefined for other ways. */
  readonly program?: "iphone" | "android"
}

export interface Device {
  readonly id: string
  readonly name: string
  /** What most people wear. Others are behind one more click. */
  readonly isCommon?: true
  /** The best one first. */
  readonly ways: readonly Way[]
}

const connect = (provider: VendorName, title = `Connect ${sourceName(provider)}`): Way => ({
  kind: "vendor",
  provider,
  title,
})

const upload = (provider: string, title = `Upload the archive of ${sourceName(provider)}`): Way => ({
  kind: "archive",
  provider,
  title,
})

/** In the order of the page. */
export const DEVICES: readonly Device[] = [
  {
    id: "whoop",
    name: "WHOOP",
    isCommon: true,
    ways: [connect("whoop"), upload("whoop", "Upload the archive of WHOOP, which has your journal too")],
  },
  { id: "oura", name: "Oura", isCommon: true, ways: [connect("oura"), upload("oura")] },
  {
    id: "garmin",
    name: "Garmin",
    isCommon: true,
    ways: [
      upload("garmin", "Upload a newer archive"),
      connect("intervals", "New days by themselves: through intervals.icu, which Garmin can send to"),
    ],
  },
  {
    id: "apple",
    name: "Apple Watch",
    isCommon: true,
    ways: [
      upload("apple_health", "Upload a newer export"),
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
    isCommon: true,
    ways: [connect("google_health", "Connect Google Health"), upload("google_health", "Upload the archive of Google")],
  },
  { id: "polar", name: "Polar", ways: [connect("polar")] },
  { id: "withings", name: "Withings", ways: [connect("withings")] },
  { id: "ultrahuman", name: "Ultrahuman", ways: [connect("ultrahuman")] },
  {
    id: "android",
    name: "Samsung, or another watch with Android",
    ways: [
      upload("health_connect", "Upload a newer export"),
      {
        kind: "push",
        provider: "phone",
        program: "android",
        title: "New days by themselves: a program on the phone sends them",
      },
    ],
  },
  { id: "gadgetbridge", name: "Amazfit or Xiaomi, with Gadgetbridge", ways: [upload("gadgetbridge")] },
  { id: "sleep_as_android", name: "Only a phone, with Sleep as Android", ways: [upload("sleep_as_android")] },
  { id: "intervals", name: "A watch that sends to intervals.icu", ways: [connect("intervals")] },
]
