/** Opens the vendor's consent page as this person, who approves at once. Returns the address that the vendor redirects to. */
export async function approveAtVendor(page: URL, { email }: { readonly email: string }): Promise<URL> {
  const consent = new URL(page)
  consent.searchParams.set("login_hint", email)
  const response = await fetch(consent, { redirect: "manual" })
  const location = response.headers.get("location")
  if (location === null) throw new Error(`${page.host} answered ${response.status} without a redirect`)
  return new URL(location)
}
