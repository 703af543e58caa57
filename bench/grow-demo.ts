import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../scripts/demo-large.ts', import.meta.url));

/** Loads the large demo into an empty database, as `npm run demo:large` does. */
export async function growDemo(databaseUrl: string, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log('Loading the large demo, which takes a minute');
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The large demo does not load.');
}
