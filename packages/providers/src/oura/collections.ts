import type { VendorCollections } from "../contract/collections.ts"

/** What Oura's API lists. Records are joined of several collections. @see https://cloud.ouraring.com/v2/docs */
export const OURA_COLLECTIONS: VendorCollections = {
  all: [
    { name: "daily_readiness", title: "readiness", holds: ["recovery"] },
    { name: "sleep", title: "sleep", holds: ["sleep", "recovery"], isEssential: true },
    { name: "daily_sleep", title: "sleep scores", holds: ["sleep"] },
    { name: "daily_spo2", title: "SpO2", holds: ["recovery"], scope: "spo2" },
    { name: "daily_activity", title: "activity days", holds: ["cycle", "sleep", "recovery"], isEssential: true },
    { name: "workout", title: "workouts", holds: ["workout"], scope: "workout" },
    { name: "enhanced_tag", title: "tags", holds: ["journal"], scope: "tag" },
    { name: "heartrate", title: "heart rates of the day", holds: ["samples"], scope: "heartrate" },
  ],
  allowStep: "Connect Oura again with every box ticked, or renew the Oura membership",
}
