import type { Field } from '../../src/engine/definitions/definition';
import { isFiles } from '../../src/engine/field-types/files';
import { fileProblem } from '../../src/app/fields/files/fileProblem';
import type { StoredFile } from './storedFiles';

/** Files that a form uploads as its own. */
interface CopiedFiles {
  readonly files: readonly File[];
  /** Why others were left out, in sentences. */
  readonly omissions: readonly string[];
}

/**
 * Copies stored files for a field of another record: they are loaded as their reader may load them, and the copies stay
 * when the originals are deleted. A file that cannot be loaded, or is not taken there, is left out with the reason.
 */
export async function copyFiles(storedFiles: readonly StoredFile[], field: Field | undefined): Promise<CopiedFiles> {
  if (!field || !isFiles(field)) return { files: [], omissions: [] };
  const files: File[] = [];
  const omissions: string[] = [];
  for (const storedFile of storedFiles) {
    const file = await loadFile(storedFile);
    const problem = !file
      ? 'It could not be loaded.'
      : files.length >= field.maxItems
        ? `There can be at most ${field.maxItems} files.`
        : fileProblem(file, field);
    if (file && problem === undefined) files.push(file);
    else omissions.push(`“${storedFile.name}” was not added. ${problem}`);
  }
  return { files, omissions };
}

async function loadFile({ url, name, type }: StoredFile): Promise<File | undefined> {
  try {
    const answer = await fetch(url);
    return answer.ok ? new File([await answer.blob()], name, { type }) : undefined;
  } catch {
    return undefined;
  }
}
