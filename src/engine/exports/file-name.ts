import type { Definition } from '../definitions/definition';
import { daysOfMonth } from '../formats/dates';

/** The forms that a list is downloaded in. */
export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * The file name: from the tab or month that the query selects, otherwise from the definition.
 *
 * @example exportFileName(testCases, { tab: 'open' }, 'xlsx'); // 'open_test_cases.xlsx'
 */
export function exportFileName(
  definition: Definition,
  query: Readonly<Record<string, unknown>>,
  format: ExportFormat,
): string {
  const tab = definition.list.tabs.find(({ filter }) =>
    Object.entries(filter).every(([name, value]) => String(query[name]) === String(value)),
  );
  const file = tab?.export ?? monthFileName(definition, query) ?? definition.export?.file ?? `${definition.table}.xlsx`;
  return file.replace(/\.xlsx$/, '') + `.${format}`;
}

function monthFileName({ parameters }: Definition, query: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, { export: fileName }] of Object.entries(parameters)) {
    const month = String(query[name]);
    if (fileName && daysOfMonth(month)) return fileName.replace('{value}', month);
  }
  return undefined;
}
