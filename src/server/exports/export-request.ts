import {
  allExportColumns,
  defaultExportColumns,
  exportColumns,
  namedExportColumns,
  type ExportColumn,
} from '../../engine/exports/columns';
import { exportFileName, exportFormats, type ExportFormat } from '../../engine/exports/file-name';
import { rowColumnAt } from '../../engine/field-types/row-definition';
import { isMoney } from '../../engine/field-types/money';
import { resolveColumn } from '../../engine/lists/column-value';
import { recordIdHeading } from '../../engine/imports/headings';
import type { Definition, NamedExport } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { RecordScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import { BadRequest, NotFound } from '../errors/errors';
import type { RecordFormat } from '../program';
import { parseFilterJson, type Query } from '../records/read/query/list-query';
import { quoteValue } from '../records/read/query/values';
import { exportTypes } from './export-types';
import type { CsvOptions } from './sheet/sheet';

/** A requested export. */
export interface ExportRequest {
  /** The name of a named export. */
  readonly name?: string;
  /** How a named export writes comma-separated values. */
  readonly csv?: CsvOptions;
  /** The name of the form. */
  readonly format: string;
  /** Code of the product writes it; undefined: a spreadsheet. */
  readonly written?: RecordFormat;
  readonly mediaType: string;
  readonly columns: readonly ExportColumn[];
  /** The name of the file. */
  readonly file: string;
  /** The list's own query. */
  readonly query: Query;
  /** The name under which the caller requests the progress. */
  readonly progress?: string;
}

const maxColumns = 200;
const exportsByPath = new WeakMap<Registry, ReadonlyMap<string, Definition>>();

/** The definition whose list is exported at a path; undefined if there is none. */
export function findExport(registry: Registry, path: string): Definition | undefined {
  let definitionsByPath = exportsByPath.get(registry);
  if (!definitionsByPath) {
    definitionsByPath = new Map(
      [...registry.definitions.values()].flatMap((definition) =>
        definition.export ? [[definition.export.path, definition]] : [],
      ),
    );
    exportsByPath.set(registry, definitionsByPath);
  }
  return definitionsByPath.get(path);
}

/** Reads the options besides the list's own query. Throws BadRequest that names an invalid one. */
export function parseExportRequest(context: RequestContext, definition: Definition, parameters: Query): ExportRequest {
  const { columns, format: name = 'xlsx', progress, ids, ...query } = parameters;
  const format = exportFormats.find((candidate) => candidate === name);
  const recordFormat = format ? undefined : ownFormat(context, definition, name);
  if (!format && !recordFormat) {
    const formatNames = [...exportFormats, ...Object.keys(definition.export?.formats ?? {})];
    throw new BadRequest(`format must be one of ${formatNames.join(', ')}, not ${quoteValue(name)}.`);
  }
  const filters = { ...parseFilterJson(query.filter), ...query };
  return {
    ...(recordFormat
      ? {
          format: String(name),
          written: recordFormat,
          mediaType: recordFormat.mediaType,
          columns: recordFormat.columns.map((path) => columnOf(context, definition, path)),
          file: exportFileName(definition, filters, 'csv').replace(
            /\.csv$/,
            `_${String(name)}.${recordFormat.extension}`,
          ),
        }
      : {
          format: format!,
          mediaType: exportTypes[format!],
          columns: [
            ...(parseIds(ids) ? [recordIdColumn] : []),
            ...withCurrencies({ context, definition }, format!, parseColumns(context, definition, columns)),
          ],
          file: exportFileName(definition, filters, format!),
        }),
    query,
    ...parseProgress(progress),
  };
}

/**
 * Reads the list's own query for a named export, which says everything else. Throws NotFound for an unknown name, and
 * BadRequest for an invalid option.
 */
export function parseNamedExportRequest(
  { context: { registry, actor }, definition }: RecordScope,
  name: string,
  parameters: Query,
): ExportRequest {
  const exports = definition.exports ?? {};
  const namedExport = Object.hasOwn(exports, name) ? exports[name] : undefined;
  if (!namedExport) throw new NotFound();
  const { progress, ...query } = parameters;
  for (const key of ['columns', 'format', 'ids'])
    if (query[key] !== undefined)
      throw new BadRequest(`${key}: the definition says this for ${quoteValue(name)}. Leave it out.`);
  return {
    name,
    format: namedExport.format,
    mediaType: exportTypes[namedExport.format],
    columns: namedExportColumns(namedExport, definition, registry, actor),
    file: `${namedExport.file}.${namedExport.format}`,
    ...(namedExport.format === 'csv' && { csv: csvOptions(namedExport) }),
    query,
    ...parseProgress(progress),
  };
}

function csvOptions({ separator, decimalSeparator, dateFormat, encoding, header }: NamedExport): CsvOptions {
  return { separator, decimalSeparator, dateFormat, encoding, header };
}

function parseProgress(progress: unknown): { progress?: string } {
  if (progress === undefined) return {};
  if (typeof progress === 'string' && /^[\w-]{1,64}$/.test(progress)) return { progress };
  throw new BadRequest('progress must be at most 64 letters, digits, - and _.');
}

function ownFormat({ program }: RequestContext, definition: Definition, name: unknown): RecordFormat | undefined {
  const isOffered = typeof name === 'string' && Object.hasOwn(definition.export?.formats ?? {}, name);
  return isOffered ? program.product.exportFormats?.[name] : undefined;
}

/** A column that a form has in any case: empty if the reader may not see it. */
function columnOf({ registry, actor }: RequestContext, definition: Definition, path: string): ExportColumn {
  return exportColumns(path, definition, registry, actor)[0] ?? { path: '', heading: path };
}

/**
 * The columns of comma-separated values, with the currency of each record behind the first amount that is in it. A
 * workbook has it in the format of the cell.
 */
function withCurrencies(
  { context: { registry, actor }, definition }: RecordScope,
  format: ExportFormat,
  columns: readonly ExportColumn[],
): readonly ExportColumn[] {
  if (format !== 'csv') return columns;
  const columnPaths = new Set(columns.map(({ path }) => path));
  return columns.flatMap((column) => {
    const ofRows = rowColumnAt(definition, column.path);
    const field = ofRows?.column ?? resolveColumn(column.path, definition, registry)?.field;
    const units = field && isMoney(field) && field.currencyField !== undefined ? [field.currencyField] : [];
    const prefix = column.path.slice(0, column.path.lastIndexOf('.') + 1);
    const unitColumns = units
      .map((name) => `${prefix}${name}`)
      .filter((path) => !columnPaths.has(path))
      .flatMap((path) => exportColumns(path, definition, registry, actor));
    for (const { path } of unitColumns) columnPaths.add(path);
    return [column, ...unitColumns];
  });
}

/** The first column, by which an import finds the records again. */
const recordIdColumn: ExportColumn = { path: 'id', heading: recordIdHeading };

function parseIds(text: unknown): boolean {
  if (text === undefined || text === '0') return false;
  if (text === '1') return true;
  throw new BadRequest(`ids must be 1 (a first column ${recordIdHeading}) or 0, not ${quoteValue(text)}.`);
}

function parseColumns({ registry, actor }: RequestContext, definition: Definition, text: unknown): ExportColumn[] {
  if (text === undefined) return defaultExportColumns(definition, registry, actor);
  if (text === '*') return allExportColumns(definition, registry, actor);
  if (typeof text !== 'string') throw new BadRequest('columns must be names separated by commas.');
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0 || names.length > maxColumns) {
    throw new BadRequest(`columns must be 1 to ${maxColumns} names separated by commas.`);
  }
  const columns = names.flatMap((name) => {
    const selectedColumns = exportColumns(name, definition, registry, actor);
    if (selectedColumns.length > 0) return selectedColumns;
    throw new BadRequest(`columns: ${definition.labels.many} have no column named ${quoteValue(name)}.`);
  });
  return [...new Map(columns.map((column) => [column.path, column])).values()];
}
