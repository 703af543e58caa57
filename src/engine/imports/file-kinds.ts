import type { ImportDefinition } from '../definitions/definition';

const spreadsheets = ['xlsx', 'xls', 'csv'];

/**
 * The endings of files that an import reads.
 *
 * @example fileEndings({ files: ['xml'] }); // ['.xlsx', '.xls', '.csv', '.xml']
 */
export function fileEndings({ files }: Pick<ImportDefinition, 'files'>): readonly string[] {
  return [...spreadsheets, ...files].map((kind) => `.${kind}`);
}

/**
 * Why a file of this name is not read; undefined if it is.
 *
 * @example fileNameProblem(definition.import, 'a.pdf'); // 'The file must be an .xlsx, .xls or .csv file.'
 */
export function fileNameProblem(importDefinition: Pick<ImportDefinition, 'files'>, name: string): string | undefined {
  const endings = fileEndings(importDefinition);
  if (endings.some((fileEnding) => name.toLowerCase().endsWith(fileEnding))) return undefined;
  return `The file must be an ${endings.slice(0, -1).join(', ')} or ${endings.at(-1)} file.`;
}
