// The names of the system's definitions, for the browser: `SYSTEM_MODULES` in its sources.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build-stale.mjs';

const fileEnding = '.json';

/** The option `define` of Vite. */
export function defineSystemModules() {
  const files = readdirSync(join(root, 'system')).filter((file) => file.endsWith(fileEnding));
  return { SYSTEM_MODULES: JSON.stringify(files.map((file) => file.slice(0, -fileEnding.length))) };
}
