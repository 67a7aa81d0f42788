import type { VendorCollections } from "../contract/collections.ts"

/** What Withings lists. Nights are joined with their values, recoveries with SpO2 too. @see https://developer.withings.com/api-reference */
export const WITHINGS_COLLECTIONS: VendorCollections = {
  all: [
    { name: "sleep", title: "sleep", holds: ["sleep", "recovery"], isEssential: true },
    { name: "sleep_details", title: "values within the night", holds: ["sleep", "recovery"] },
    { name: "spo2", title: "SpO2", holds: ["recovery"] },
    { name: "workouts", title: "workouts", holds: ["workout"] },
    { name: "activity", title: "activity days", holds: ["cycle"], isEssential: true },
    { name: "measures", title: "weights and other measures", holds: ["samples"] },
  ],
  allowStep:
    "Connect Withings again, and allow its activity and sleep (user.activity) and its health measures (user.metrics)",
}
