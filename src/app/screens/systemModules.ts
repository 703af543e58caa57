/** The names of the files in `system/`, which the build writes here (`scripts/system-modules.mjs`). */
declare const SYSTEM_MODULES: readonly string[];

/** The modules that every product has. */
export const systemModules: ReadonlySet<string> = new Set(SYSTEM_MODULES);
