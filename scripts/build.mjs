// `npm run build`: both builds. With --stale only those whose sources have changed.
import { build, staleParts } from './build-stale.mjs';
import { entrySize } from './entry-size.mjs';

await build(process.argv.includes('--stale') ? staleParts() : undefined);
console.log(`JavaScript before the sign-in page: ${(entrySize() / 1000).toFixed(1)} kB gzip`);
