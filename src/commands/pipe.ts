/** `towow-mcp logs | head`: when the reader has seen enough, that is the end and not an error. */
export function stopWhenReaderLeaves(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}
