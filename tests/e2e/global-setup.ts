import { join } from 'node:path';
import { prepareData, startProgram } from './support/program';

/** Starts the program that all browser tests share. They find it through `ASSAY_URL`, and its mail through `ASSAY_MAIL`. */
export default async function start(): Promise<() => Promise<void>> {
  const removeData = await prepareData();
  const { url, folder, stop } = await startProgram();
  process.env.ASSAY_URL = url;
  process.env.ASSAY_MAIL = join(folder, 'data/mail');
  return async () => {
    await stop();
    removeData();
  };
}
