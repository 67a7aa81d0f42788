const NAMES: Readonly<Record<string, string>> = {
  restwell: "Restwell",
  whoop: "WHOOP",
  oura: "Oura",
  garmin: "Garmin",
  withings: "Withings",
  google_health: "Fitbit (Google Health)",
  polar: "Polar",
  apple_health: "Apple Health",
  phone: "Phone",
  google: "Google",
  apple: "Apple",
}

/** Display name of a vendor. */
export const providerName = (provider: string): string => NAMES[provider] ?? provider

/** "functional-fitness" as "Functional fitness". */
export function sportName(sportType: string): string {
  const words = sportType.replaceAll(/[-_]+/g, " ").trim()
  return words === "" ? "Workout" : words.charAt(0).toUpperCase() + words.slice(1)
}
