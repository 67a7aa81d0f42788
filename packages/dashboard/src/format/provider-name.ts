const NAMES: Readonly<Record<string, string>> = {
  whoop: "WHOOP",
  oura: "Oura",
  withings: "Withings",
  google_health: "Google Health",
  polar: "Polar",
  apple_health: "Apple Health",
  google: "Google",
  apple: "Apple",
}

/** Display name of a vendor. */
export const providerName = (provider: string): string => NAMES[provider] ?? provider
