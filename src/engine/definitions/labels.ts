import { itemAt } from '../values/lookups';

/**
 * `project_module_id` → `Project Module`; `created_at` → `Created At`.
 *
 * @example labelOf('project_module_id'); // 'Project Module'
 */
export function labelOf(fieldName: string): string {
  const words = fieldName
    .replace(/_ids?$/, '')
    .split('_')
    .filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

/**
 * `device-types` → `device_types`: the table of a resource.
 *
 * @example tableOf('device-types'); // 'device_types'
 */
export function tableOf(resourceName: string): string {
  return resourceName.replaceAll('-', '_');
}

/**
 * `test-cases` → `test_cases.xlsx`: the file name of a resource's spreadsheet.
 *
 * @example exportFileNameOf('device-types'); // 'device_types.xlsx'
 */
export function exportFileNameOf(resourceName: string): string {
  return `${tableOf(resourceName)}.xlsx`;
}

/**
 * The field names in a template such as `{first_name} {last_name}`.
 *
 * @example templateFields('{first_name} {last_name}'); // ['first_name', 'last_name']
 */
export function templateFields(template: string): string[] {
  return [...template.matchAll(/\{([A-Za-z_][A-Za-z0-9_.]*)\}/g)].map((match) => itemAt(match, 1));
}

/**
 * Fills `{name}` from the values; missing ones leave nothing, and spaces are tidied.
 *
 * @example fillTemplate('{first_name} {last_name}', { first_name: 'Ada' }); // 'Ada'
 */
export function fillTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  const text = replaceNames(template, (path) => {
    let value: unknown = values;
    for (const step of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[step];
    return value === null || value === undefined ? '' : String(value);
  });
  return text.replace(/ {2,}/g, ' ').trim();
}

/**
 * A template with a text for each name in braces.
 *
 * @example replaceNames('{key} {name}', (path) => path.toUpperCase()); // 'KEY NAME'
 */
export function replaceNames(template: string, textOf: (path: string) => string): string {
  return template.replace(/\{([A-Za-z_][A-Za-z0-9_.]*)\}/g, (_, path: string) => textOf(path));
}
