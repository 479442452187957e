/** Copies the plan's own Markdown; a browser that gives no clipboard gets it as a file. */
export async function copyPlan(base: string, button: HTMLButtonElement): Promise<void> {
  const address = `${base}/plan.md`;
  try {
    const text = await (await fetch(address)).text();
    await navigator.clipboard.writeText(text);
    button.classList.add("ok");
    setTimeout(() => button.classList.remove("ok"), 1_500);
  } catch {
    location.assign(address);
  }
}
