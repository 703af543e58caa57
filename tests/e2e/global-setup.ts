import { join } from 'node:path';
import { prepareData, startProgram } from './support/program';

/** Starts the program that end-to-end tests share. `ASSAY_URL` is its address, `ASSAY_MAIL` its folder of mails. */
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
