// A program that owns an embedded database, to be stopped with SIGTERM or killed:
// owner <data folder> <patience> <fast or safe>
import { startEmbedded } from '../../../src/server/database/embedded/start-embedded';

const [dataDir = '', patience, speed] = process.argv.slice(2);
const silent = { info: () => {}, warn: () => {}, error: () => {} };

try {
  const database = await startEmbedded({ dataDir, log: silent, fast: speed === 'fast', patience: Number(patience) });
  const alive = setInterval(() => {}, 60_000);
  process.once('SIGTERM', () => void database.stop().then(() => clearInterval(alive)));
  console.log(database.url);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
