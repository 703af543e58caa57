// `npm run build`: all builds, with `--product FOLDER` those for that product. With --stale only those whose sources have changed.
import { build, staleParts } from './build-stale.mjs';
import { entrySize } from './entry-size.mjs';
import { productFolder } from './product-code.mjs';

const folder = productFolder();
await build(folder, process.argv.includes('--stale') ? staleParts(folder) : undefined);
// The sizes are those of the application without the code of another product.
if (folder !== undefined) process.exit();
const kB = (bytes) => (bytes / 1000).toFixed(1);
console.log(
  `JavaScript before the sign-in page: ${kB(entrySize())} kB gzip; until the first list: ${kB(entrySize(['frame', 'list']))} kB`,
);
