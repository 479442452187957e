export async function demo(_: unknown): Promise<void> {}
