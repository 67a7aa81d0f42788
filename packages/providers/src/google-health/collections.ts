import type { VendorCollections } from "../contract/collections.ts"

/** The types of data that are read. Records are joined of several. @see https://developers.google.com/health/data-types */
export const GOOGLE_HEALTH_COLLECTIONS: VendorCollections = {
  all: [
    { name: "daily-heart-rate-variability", title: "HRV", holds: ["recovery"] },
    { name: "daily-resting-heart-rate", title: "the resting heart rate", holds: ["recovery"] },
    { name: "daily-oxygen-saturation", title: "SpO2", holds: ["recovery"] },
    { name: "daily-sleep-temperature-derivations", title: "the skin temperature", holds: ["recovery"] },
    { name: "sleep", title: "sleep", holds: ["sleep", "recovery"], isEssential: true },
    { name: "daily-respiratory-rate", title: "the respiratory rate", holds: ["sleep"] },
    { name: "exercise", title: "workouts", holds: ["workout"] },
    { name: "steps", title: "steps", holds: ["cycle"], isEssential: true, needs: "settings" },
    { name: "distance", title: "the distance of days", holds: ["cycle"], needs: "settings" },
    { name: "active-energy-burned", title: "the active energy of days", holds: ["cycle"], needs: "settings" },
    { name: "total-calories", title: "the energy of days", holds: ["cycle"], needs: "settings" },
    { name: "settings", title: "the time zone of days", holds: ["cycle"] },
    { name: "weight", title: "weight", holds: ["samples"] },
    { name: "body-fat", title: "body fat", holds: ["samples"] },
  ],
  allowStep: "Connect Google Health again with every box ticked",
}
