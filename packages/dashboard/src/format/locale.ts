/** How the reader of the page writes dates and numbers. The language of the page is English for everybody. */

/** Not every browser has a name of BCP 47: Chromium on a system without a locale adds the system's name, as in en-US@posix. */
export function localeOf(language: string): Intl.Locale {
  const [name = ""] = language.split("@")
  const isKnown = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(name)
  return new Intl.Locale(isKnown ? name : "en-GB")
}

/** The locale of the browser with Latin digits. Of a language in another script it is British English. */
export function readersLocale(language: string = navigator.language): Intl.Locale {
  const locale = localeOf(language)
  return locale.maximize().script === "Latn"
    ? new Intl.Locale(locale.baseName, { numberingSystem: "latn" })
    : new Intl.Locale("en-GB")
}
