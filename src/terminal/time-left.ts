/** `4:32`, from an hour on `24:02:00`; rounded up, so that it ends with 0:00 and not a second before. Nothing is left below zero. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, i) => (i === 0 ? part : String(part).padStart(2, "0"))).join(":");
}
