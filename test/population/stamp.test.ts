import { expect, test } from "vitest"
import { PopulationMember } from "../../bench/population/member.ts"
import { stamped, stampMaker } from "../../bench/population/stamp.ts"

const makeStamp = stampMaker({
  userId: "Template000000000000000000000001",
  email: "template@example.com",
  vendorUserId: 10_129,
  keyHash: "ab".repeat(32),
  keyPrefix: "rw_abcd",
})

const member = new PopulationMember(7)
const stampedLine = (line: string): string => stamped(makeStamp(line), member)

test("gives a cycle the person's digits", () => {
  expect(stampedLine('whoop\t12345000102\t{"cycle_id": 12345000102, "kilojoule": 8000.12345678901}')).toBe(
    `whoop\t12345${member.vendorUserId.slice(-8)}\t{"cycle_id": 12345${member.vendorUserId.slice(-8)}, "kilojoule": 8000.12345678901}`,
  )
})

test.each(["68400002918e", "e68400002918"])("leaves a UUID one whose end is %s", (end) => {
  const line = stampedLine(`Template000000000000000000000001\t8822043d-d477-4a5b-a39a-${end}\tab`)
  expect(line.split("\t")).toEqual([member.userId, `${member.recordIdPrefix}-4a5b-a39a-${end}`, "ab"])
})
