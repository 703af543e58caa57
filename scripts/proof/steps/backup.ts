import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProofStep } from '../proof';
import { pause, signIn, startServer } from '../server';

/** A backup of a program in use, restored into a new data folder, on which a second program continues. */
export const backup: ProofStep = {
  title: 'backup while people write, restored elsewhere',
  minutes: 4,
  async run(proof) {
    const server = await startServer(proof);
    const owner = await signIn(server.address);
    const stored: number[] = [];
    let writing = true;
    const writer = (async () => {
      for (let at = 0; writing; at++) {
        const answer = await owner<{ data: { id: number } }>('POST', '/priorities', { option_name: `Backup ${at}` });
        if (answer.status === 201) stored.push(answer.body.data.id);
      }
    })();
    const file = join(proof.folder, 'assay.backup');
    while (stored.length < 20) await pause(20);
    const first = [...stored];
    const made = await command('backup', file, server.dataDir);
    const during = stored.length - first.length;
    writing = false;
    await writer;
    const dataDir = join(proof.folder, 'restored');
    const restored = await command('restore', file, dataDir);
    const later = await startServer(proof, { dataDir });
    const call = await signIn(later.address);
    for (const id of first) {
      if ((await call('GET', `/priorities/${id}`)).status !== 200) throw new Error(`priority ${id} is missing`);
    }
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    return `${megabytes} MB in ${made.toFixed(1)} s, restored in ${restored.toFixed(1)} s, ${during} records were created meanwhile`;
  },
};

/** Seconds that it took. */
async function command(name: 'backup' | 'restore', file: string, dataDir: string): Promise<number> {
  const since = performance.now();
  const child = spawn(process.execPath, ['scripts/backup.mjs', name, file], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  const status = await new Promise((done) => child.once('close', done));
  if (status !== 0) throw new Error(`${name} failed: ${said.trim()}`);
  return (performance.now() - since) / 1000;
}
