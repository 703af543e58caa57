/** Identifies the build of the program; undefined where its sources run as they are. */
export function buildOf(): string | undefined {
  return (globalThis as { assayBuild?: string }).assayBuild;
}
