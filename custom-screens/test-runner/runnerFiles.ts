import { fileDatabase } from './fileDatabase';
import { KeptFiles } from './keptFiles';

/** The files of results that are not stored yet, of all screens of this tab. */
export const runnerFiles = new KeptFiles(fileDatabase);
