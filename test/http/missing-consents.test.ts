// A vendor that grants access and serves nothing until the person has given its consents.
import { Member } from "@restwell/testing/member"
import { startTestService } from "@restwell/testing/service"
import { approveAtVendor } from "@restwell/testing/vendor"
import { expect, test } from "vitest"

test("a browser is led to the page that says where the consents are given, and a program is told the same", async () => {
  const service = await startTestService({ vendor: "polar", days: 1 })
  try {
    const member = new Member(service)
    await member.signUp()
    const person = service.simulator.people.add({ email: "ada@vendor.example" })
    service.simulatorOf("polar").faults.add({ kind: "status", status: 403, match: { path: "/v3/users" } })
    const comeBack = async (accept: string) => {
      const begun = await member.send("GET", "/api/connections/polar/authorize")
      const { pathname, search } = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), person)
      return member.send("GET", pathname + search, undefined, { accept })
    }
    const page = await comeBack("text/html")
    expect(page.headers.get("location")).toBe(`${service.url}/connections?provider=polar&problem=not_allowed`)
    const program = await comeBack("application/json")
    expect([program.status, await program.json()]).toEqual([
      400,
      expect.objectContaining({ field: "code", message: expect.stringContaining("account.polar.com") }),
    ])
  } finally {
    await service.close()
  }
})
