import { prepareData, startProgram } from './support/program';

/** Starts the program that all browser tests share. They find it through `ASSAY_URL`. */
export default async function start(): Promise<() => Promise<void>> {
  const removeData = await prepareData();
  const { url, stop } = await startProgram();
  process.env.ASSAY_URL = url;
  return async () => {
    await stop();
    removeData();
  };
}
