// `npm run build`: all builds. With --stale only those whose sources have changed.
import { build, staleParts } from './build-stale.mjs';
import { frameParts, listParts } from './chunks.mjs';
import { entrySize } from './entry-size.mjs';

await build(process.argv.includes('--stale') ? staleParts() : undefined);
const kB = (bytes) => (bytes / 1000).toFixed(1);
console.log(
  `JavaScript before the sign-in page: ${kB(entrySize())} kB gzip; until the first list: ${kB(entrySize([...frameParts, ...listParts]))} kB`,
);
