import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** UTF-8, commas, quotes where needed, cells as they are shown rather than as they are kept. */
const csv = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false';
const patience = 150_000;

/**
 * Opens files in LibreOffice and saves each in another form, in `folder`; answers where they lie, in the same order.
 * Throws what LibreOffice says where it cannot.
 */
export async function convert(
  files: readonly string[],
  form: 'csv' | 'xlsx' | 'xls',
  folder: string,
): Promise<string[]> {
  const out = join(folder, form);
  mkdirSync(out, { recursive: true });
  // A profile of its own: another LibreOffice of the same user would take the work over and end at once.
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const args = [
    profile,
    '--headless',
    '--norestore',
    '--convert-to',
    form === 'csv' ? csv : form,
    '--outdir',
    out,
    ...files,
  ];
  const { stdout, stderr } = await run('soffice', args, { timeout: patience });
  if (/error/i.test(stdout + stderr)) throw new Error(stdout + stderr);
  return files.map((file) => join(out, `${basename(file, extname(file))}.${form}`));
}
