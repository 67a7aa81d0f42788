/** What is known of each source by its name. Nothing else knows a source by name: how people call it, and what its scores are. */
import { OWN_SOURCE, PROVIDERS, type Provider } from "../rest/source.ts"

/** The bands of a score. Each vendor has limits of its own. */
export type ScoreBand = "best" | "good" | "fair" | "poor"

export interface ScoreStep {
  /** The least score of the band. */
  readonly from: number
  readonly band: ScoreBand
  /** The vendor's word for it. */
  readonly name: string
}

interface SourceEntry {
  readonly name: string
  /** Its scores are percentages. Those of other sources are points from 0 to 100. */
  readonly scoreUnit?: "%"
  /** What its people read as their recovery score. Left out where that is their recovery. */
  readonly recoveryTitle?: string
  /** What its sleep score compares the sleep with. Left out where the score is the vendor's own. */
  readonly sleepScoreOf?: string
  /** Of its recovery score, and of a sleep score of its own, the best first. Left out where it has none. */
  readonly bands?: readonly ScoreStep[]
  /** Where its people give the consents without which it grants access and serves nothing. */
  readonly consentsAt?: string
  /** Its app calls the parts of scores by the words of the bands too. */
  readonly hasBandsOfParts?: true
}

const SOURCES: Readonly<Record<Provider, SourceEntry>> = {
  apple_health: { name: "Apple Health" },
  gadgetbridge: { name: "Gadgetbridge" },
  garmin: { name: "Garmin" },
  google_health: { name: "Fitbit (Google Health)" },
  health_connect: { name: "Health Connect" },
  intervals: { name: "intervals.icu" },
  // https://support.ouraring.com/hc/en-us/articles/360025589793 (readiness), 360057791533 (words of parts)
  oura: {
    name: "Oura",
    recoveryTitle: "Readiness",
    bands: [
      { from: 85, band: "best", name: "Optimal" },
      { from: 70, band: "good", name: "Good" },
      { from: 60, band: "fair", name: "Fair" },
      // Oura's own words are "pay attention".
      { from: 0, band: "poor", name: "Poor" },
    ],
    hasBandsOfParts: true,
  },
  phone: { name: "Phone" },
  polar: { name: "Polar", consentsAt: "account.polar.com" },
  sleep_as_android: { name: "Sleep as Android" },
  ultrahuman: { name: "Ultrahuman" },
  // Its recovery is green, yellow and red.
  whoop: {
    name: "WHOOP",
    scoreUnit: "%",
    sleepScoreOf: "need",
    bands: [
      { from: 67, band: "good", name: "Good" },
      { from: 34, band: "fair", name: "Fair" },
      { from: 0, band: "poor", name: "Poor" },
    ],
  },
  withings: { name: "Withings" },
}

const isProvider = (source: string): source is Provider => PROVIDERS.some((provider) => provider === source)

/** What is known of a source. Undefined for unknown ones. */
export const sourceEntry = (source: string | null): SourceEntry | undefined =>
  source !== null && isProvider(source) ? SOURCES[source] : undefined

/** Where people of a source give the consents that it asks for. Undefined where it asks for none. */
export const consentPageOf = (source: string): string | undefined => sourceEntry(source)?.consentsAt

/** Display name of a source. The name itself for unknown ones. */
export const sourceName = (source: string): string =>
  source === OWN_SOURCE ? "Restwell" : (sourceEntry(source)?.name ?? source)
