import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { isFiles } from '../../../engine/field-types/files';
import { isInverse, shownResource } from '../../../engine/field-types/inverse';
import { isAnyRelation } from '../../../engine/field-types/relation';
import { isRows } from '../../../engine/field-types/rows';
import { filesIn, isFileField, isFileValue, type FileValue } from '../../../engine/field-types/stored-files';
import type { ColumnWriters } from '../../database/json-rows';
import type { StoredFile } from '../../files/files';
import type { Program } from '../../program';

/** Where files are in a response: by property, a field of files or what is below an embed or a list of records. */
type FilePlaces = ReadonlyMap<string, Field | FilePlaces>;

const placesCache = new WeakMap<Registry, Map<string, FilePlaces>>();

/** Where files are in the responses of a definition: in its own fields, and in what it embeds. */
function filePlaces(registry: Registry, definition: Definition): FilePlaces {
  let ofRegistry = placesCache.get(registry);
  if (!ofRegistry) placesCache.set(registry, (ofRegistry = new Map()));
  let locations = ofRegistry.get(definition.name);
  if (!locations) {
    locations = placesOf(Object.values(definition.fields).flatMap((field) => placeOf(registry, field, [])));
    ofRegistry.set(definition.name, locations);
  }
  return locations;
}

type Place = readonly [name: string, below: Field | FilePlaces];

/** Nodes without files are left out. */
function placesOf(locations: readonly Place[]): FilePlaces {
  return new Map(locations.filter(([, node]) => !(node instanceof Map) || node.size > 0));
}

function placeOf(registry: Registry, field: Field, path: readonly Field[]): Place[] {
  const { name } = field;
  if (isFileField(field)) return [[name, field]];
  if (path.includes(field)) return [];
  const nestedPath = [...path, field];
  if (isAnyRelation(field)) {
    const target = registry.get(field.to);
    return target ? [[field.embed ?? name, embedPlaces(registry, target, field.embedFields, nestedPath)]] : [];
  }
  if (isInverse(field)) {
    const target = registry.get(shownResource(field, registry.get(field.inverse.resource)));
    return target ? [[name, embedPlaces(registry, target, field.showFields, nestedPath)]] : [];
  }
  if (isRows(field))
    return [[name, placesOf(Object.values(field.columns).flatMap((column) => placeOf(registry, column, nestedPath)))]];
  return [];
}

/** Where files are in an embed that has these fields and embeds of its definition. */
function embedPlaces(
  registry: Registry,
  { fields }: Definition,
  names: readonly string[],
  path: readonly Field[],
): FilePlaces {
  const embeddedFields = names.flatMap(
    (name) => fields[name] ?? Object.values(fields).find((field) => field.embed === name) ?? [],
  );
  return placesOf(embeddedFields.flatMap((field) => placeOf(registry, field, path)));
}

interface FileWriters {
  readonly files: Program['files'];
  readonly writers: ColumnWriters;
}

const writersCache = new WeakMap<FilePlaces, FileWriters>();

/**
 * Formats files as JSON with their URLs, also in embeds, for rows that are never parsed: by column, from its text.
 */
export function fileWriters({ files }: Program, registry: Registry, definition: Definition): ColumnWriters {
  const locations = filePlaces(registry, definition);
  let entry = writersCache.get(locations);
  if (entry?.files !== files) {
    const writers = Object.fromEntries(
      [...locations].map(([name, node]) => [
        name,
        (text: string) => JSON.stringify(withUrls(files, node, JSON.parse(text))),
      ]),
    );
    writersCache.set(locations, (entry = { files, writers }));
  }
  return entry.writers;
}

/**
 * Replaces keys of files with their URLs, also in embeds.
 *
 * @example addFileUrls(program, registry, definition, records); // records[0].screenshot.url
 */
export function addFileUrls(
  { files }: Program,
  registry: Registry,
  definition: Definition,
  records: readonly ResourceRecord[],
): void {
  const locations = filePlaces(registry, definition);
  for (const record of records) addUrls(files, locations, record);
}

function addUrls(files: Program['files'], locations: FilePlaces, record: ResourceRecord): void {
  for (const [name, node] of locations) if (name in record) record[name] = withUrls(files, node, record[name]);
}

/** The value of a property: files, or an embedded record, or a list of these. */
function withUrls(files: Program['files'], node: Field | FilePlaces, value: unknown): unknown {
  if (!(node instanceof Map)) return withFileUrls(files, node as Field, value);
  for (const item of [value].flat())
    if (typeof item === 'object' && item !== null) addUrls(files, node, item as ResourceRecord);
  return value;
}

/** A stored value with the URLs of its files instead of their keys: one, or a list of them; null for none. */
function withFileUrls(files: Program['files'], field: Field, value: unknown): unknown {
  const list = filesIn<StoredFile | FileValue>(value).flatMap((file) => {
    if (isFileValue(file)) return [file];
    const { key, name, size, type } = file;
    return key ? [{ name, size, type, url: files.signedUrl(key) }] : [];
  });
  if (isFiles(field)) return list.length === 0 ? null : list;
  return list[0] ?? null;
}
