import { exportFormats } from '../../engine/exports/file-name';
import type { Definition } from '../../engine/definitions/definition';
import { exportTypes } from '../exports/export-types';
import type { Json } from './record-schemas';
import { refusals } from './responses';

const file = { type: 'string', format: 'binary' };

/** The list of a definition as a spreadsheet; `parameters` are those of the list itself. Nothing where there is none. */
export function exportPath(definition: Definition, parameters: readonly Json[]): Record<string, Json> {
  const { name, labels } = definition;
  if (!definition.export) return {};
  return {
    [`/${definition.export.path}`]: {
      get: {
        operationId: `export-${name}`,
        tags: [labels.many],
        summary: `Download ${labels.many}`,
        parameters: [
          { name: 'format', in: 'query', schema: { type: 'string', enum: exportFormats, default: exportFormats[0] } },
          {
            name: 'columns',
            in: 'query',
            description:
              'Fields with commas between them, or * for all that you may see; without it those that the list shows.',
            schema: { type: 'string' },
          },
          ...parameters.filter(({ name }) => name !== 'fields'),
        ],
        responses: {
          '200': {
            description: 'The file. X-Total carries the number of its rows.',
            content: Object.fromEntries(exportFormats.map((format) => [exportTypes[format], { schema: file }])),
          },
          ...refusals,
        },
      },
    },
  };
}
