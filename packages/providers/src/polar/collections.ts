import type { VendorCollections } from "../contract/collections.ts"

/** What Polar lists. Nights also tell the time zone of days, which have none. @see https://www.polar.com/accesslink-api/ */
export const POLAR_COLLECTIONS: VendorCollections = {
  all: [
    { name: "activities", title: "days", holds: ["cycle"], isEssential: true },
    { name: "sleep", title: "sleep", holds: ["sleep", "cycle"], isEssential: true },
    { name: "nightly_recharge", title: "nightly recharge", holds: ["recovery", "sleep"] },
    { name: "skin_temperature", title: "skin temperature", holds: ["recovery"] },
    { name: "exercises", title: "workouts", holds: ["workout"], isSinceConnected: true },
  ],
  allowStep: "Give the consents that Polar asks for at account.polar.com, then connect Polar again",
}
