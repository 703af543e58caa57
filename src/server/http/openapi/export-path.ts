import { exportFormats } from '../../../engine/exports/file-name';
import type { Definition } from '../../../engine/definitions/definition';
import { exportTypes } from '../../exports/export-types';
import type { Components, Reference } from './components';
import type { Json } from './record-schemas';
import { securityOf } from './responses';

const file = { type: 'string', format: 'binary' };

/**
 * The path that downloads a definition's list as a spreadsheet; `parameters` are those of lists in general. Empty
 * without an export.
 */
export function exportPath(
  definition: Definition,
  components: Components,
  parameters: readonly Reference[],
  problems: Record<string, Reference>,
): Record<string, Json> {
  const { name, labels } = definition;
  if (!definition.export) return {};
  const formats = Object.keys(definition.export.formats);
  // What is of this list alone has a name of its own.
  const part = formats.length > 0 ? `export-${name}` : 'export';
  const own = [
    {
      name: 'format',
      in: 'query',
      schema: { type: 'string', enum: [...exportFormats, ...formats], default: exportFormats[0] },
    },
    {
      name: 'columns',
      in: 'query',
      description: 'Fields separated by commas, or * for all that you may see; by default those that the list shows.',
      schema: { type: 'string' },
    },
    {
      name: 'ids',
      in: 'query',
      description: 'With 1, the first column is the Record ID, by which an import changes these records.',
      schema: { type: 'string', enum: ['0', '1'], default: '0' },
    },
  ].map((parameter) =>
    components.add('parameters', `${parameter.name === 'format' ? part : 'export'}.${parameter.name}`, parameter),
  );
  const spreadsheet = components.add('responses', formats.length > 0 ? `${name}-file` : 'Spreadsheet', {
    description: 'The file. X-Total is the number of its rows.',
    content: {
      ...Object.fromEntries(exportFormats.map((format) => [exportTypes[format], { schema: file }])),
      ...(formats.length > 0 && { 'application/octet-stream': { schema: file } }),
    },
  });
  return {
    [`/${definition.export.path}`]: {
      get: {
        operationId: `export-${name}`,
        tags: [labels.many],
        summary: `Download ${labels.many}`,
        ...securityOf([`${name}.list`]),
        description: 'Every filter of the list can be used here too, by its name.',
        parameters: [...own, ...parameters],
        responses: { '200': spreadsheet, ...problems },
      },
    },
    ...Object.fromEntries(
      Object.entries(definition.exports ?? {}).map(([one, { label, format }]) => [
        `/${definition.export!.path}/${one}`,
        {
          get: {
            operationId: `export-${name}-${one}`,
            tags: [labels.many],
            summary: `Download ${labels.many} for ${label}`,
            ...securityOf([`${name}.list`]),
            description:
              'The columns and their format are those of the definition. Every filter of the list can be used here too, by its name.',
            parameters,
            responses: {
              '200': {
                description: 'The file. X-Total is the number of its rows.',
                content: { [exportTypes[format]]: { schema: file } },
              },
              ...problems,
            },
          },
        },
      ]),
    ),
  };
}
