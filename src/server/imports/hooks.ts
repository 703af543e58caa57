import type { Hooks } from '../program';
import { addImportFileUrls, guardImportRemoval, refuseWritingImports, removeImportFile } from './import-history-store';

/** The hooks that the definition of past imports names. */
export const importHooks: Hooks = {
  refuseWritingImports,
  guardImportRemoval,
  addressImportFiles: addImportFileUrls,
  dropImportFile: removeImportFile,
};
