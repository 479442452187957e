/** Whether one version of this program came after another, by numbers; a pre-release comes before its release. */
export function isNewer(one: string, other: string): boolean {
  const [[a, preA], [b, preB]] = [partsOf(one), partsOf(other)];
  const order = a.localeCompare(b, "en", { numeric: true });
  if (order !== 0) return order > 0;
  if (preA === "" || preB === "") return preA === "" && preB !== "";
  return preA.localeCompare(preB, "en", { numeric: true }) > 0;
}

/** The numbers, and what names a pre-release. What was built of them says nothing. */
function partsOf(version: string): [numbers: string, preRelease: string] {
  const [numbers = "", ...pre] = (version.split("+")[0] ?? "").split("-");
  return [numbers, pre.join("-")];
}
