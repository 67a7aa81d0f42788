const NAMES: Readonly<Record<string, string>> = {
  restwell: "Restwell",
  whoop: "WHOOP",
  oura: "Oura",
  intervals: "intervals.icu",
  garmin: "Garmin",
  withings: "Withings",
  ultrahuman: "Ultrahuman",
  google_health: "Fitbit (Google Health)",
  polar: "Polar",
  apple_health: "Apple Health",
  health_connect: "Health Connect",
  gadgetbridge: "Gadgetbridge",
  sleep_as_android: "Sleep as Android",
  phone: "Phone",
  google: "Google",
  apple: "Apple",
}

/** Display name of a vendor. */
export const providerName = (provider: string): string => NAMES[provider] ?? provider

/** Sports that are written in capital letters. */
const ABBREVIATIONS: readonly string[] = ["hiit", "bmx", "f45"]

/** "functional-fitness" as "Functional fitness", "hiit" as "HIIT". */
export function sportName(sportType: string): string {
  const words = sportType.replaceAll(/[-_]+/g, " ").trim()
  if (ABBREVIATIONS.includes(words)) return words.toUpperCase()
  return words === "" ? "Workout" : words.charAt(0).toUpperCase() + words.slice(1)
}
