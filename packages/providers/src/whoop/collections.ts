import type { VendorCollections } from "../contract/collections.ts"

/** What WHOOP's API lists, one collection for each kind of record. @see https://developer.whoop.com/api */
export const WHOOP_COLLECTIONS: VendorCollections = {
  all: [
    { name: "sleep", title: "sleep", holds: ["sleep"], isEssential: true },
    { name: "recovery", title: "recovery", holds: ["recovery"] },
    { name: "workout", title: "workouts", holds: ["workout"] },
    { name: "cycle", title: "cycles and strain", holds: ["cycle"], isEssential: true },
  ],
  allowStep: "Connect WHOOP again with every box ticked, or renew the WHOOP membership",
}
