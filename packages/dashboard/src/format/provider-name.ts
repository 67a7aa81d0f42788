const NAMES: Readonly<Record<string, string>> = {
  whoop: "WHOOP",
  oura: "Oura",
  google: "Google",
  apple: "Apple",
}

/** Display name of a vendor. */
export const providerName = (provider: string): string => NAMES[provider] ?? provider
