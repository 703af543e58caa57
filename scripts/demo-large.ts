import { resolve } from 'node:path';
import pino from 'pino';
import { product } from '../src/product';
import { growDemoData } from '../src/product/demo/large';
import { readSettings } from '../src/server/settings/settings';
import { startProgram } from '../src/server/start-program';

// `npm run demo:large`: demo data of the size of a busy company, in a separate data folder.

const folder = process.env.DATA_DIR ?? 'data-large';
const settings = readSettings({
  ...process.env,
  DATA_DIR: folder,
  DEMO: '1',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
});
const startTime = Date.now();
const seconds = () => `${((Date.now() - startTime) / 1000).toFixed(1)} s`;

console.log(`Loading the large demo into ${settings.databaseUrl ?? resolve(folder)}`);
const { program, stop } = await startProgram(settings, {
  product,
  log: pino({ level: settings.logLevel }),
});
try {
  console.log(`  demo data loaded after ${seconds()}`);
  await growDemoData(program, (line) => console.log(`  ${line}`));
} finally {
  await stop();
}
console.log(`Done in ${seconds()}. Start on it: DATA_DIR=${folder} npm start`);
