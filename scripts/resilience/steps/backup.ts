import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ResilienceStep } from '../step';
import { pause, signIn, startServer } from '../server';

/** A backup of a program in use, restored into a new data folder, on which a second program continues. */
export const backup: ResilienceStep = {
  title: 'backup while people write, restored elsewhere',
  minutes: 4,
  async run(context) {
    const server = await startServer(context);
    const owner = await signIn(server.address);
    const storedIds: number[] = [];
    let writing = true;
    const writer = (async () => {
      for (let index = 0; writing; index++) {
        const answer = await owner<{ data: { id: number } }>('POST', '/priorities', { option_name: `Backup ${index}` });
        if (answer.status === 201) storedIds.push(answer.body.data.id);
      }
    })();
    const file = join(context.folder, 'assay.backup');
    while (storedIds.length < 20) await pause(20);
    const first = [...storedIds];
    const backupSeconds = await command('backup', file, server.dataDir);
    const writesDuringBackup = storedIds.length - first.length;
    writing = false;
    await writer;
    const dataDir = join(context.folder, 'restored');
    const restoreSeconds = await command('restore', file, dataDir);
    const restoredServer = await startServer(context, { dataDir });
    const call = await signIn(restoredServer.address);
    for (const id of first) {
      if ((await call('GET', `/priorities/${id}`)).status !== 200) throw new Error(`priority ${id} is missing`);
    }
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    return `${megabytes} MB in ${backupSeconds.toFixed(1)} s, restored in ${restoreSeconds.toFixed(1)} s, ${writesDuringBackup} records were created meanwhile`;
  },
};

/** Seconds that it took. */
async function command(name: 'backup' | 'restore', file: string, dataDir: string): Promise<number> {
  const startTime = performance.now();
  const child = spawn(process.execPath, ['scripts/backup.mjs', name, file], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.on('data', (part) => (errorOutput += String(part)));
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`${name} failed: ${errorOutput.trim()}`);
  return (performance.now() - startTime) / 1000;
}
