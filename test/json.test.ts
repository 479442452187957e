import { expect, it } from "vitest";
import { excessOf } from "../src/json.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

it("as deep and as many as allowed is no excess, one more is", () => {
  const most = { depth: 3, values: 6 };
  expect(excessOf(nested(3), most)).toBeUndefined();
  expect(excessOf(nested(4), most)).toBe("nested too deeply");
  expect(excessOf('[{},{},[{"a":1}]]', { depth: 3, values: 7 })).toBeUndefined();
  expect(excessOf("[1,2,3,4,5,6]", most)).toBeUndefined();
  expect(excessOf("[1,2,3,4,5,6,7]", most)).toBe("too many values");
  expect(excessOf('["[[[[[,,,,,,,,","\\"[[[["]', most)).toBeUndefined();
});
