import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
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
  let places = ofRegistry.get(definition.name);
  if (!places) {
    places = placesOf(Object.values(definition.fields).flatMap((field) => placeOf(registry, field, [])));
    ofRegistry.set(definition.name, places);
  }
  return places;
}

type Place = readonly [name: string, below: Field | FilePlaces];

/** What has no files is no place. */
function placesOf(places: readonly Place[]): FilePlaces {
  return new Map(places.filter(([, below]) => !(below instanceof Map) || below.size > 0));
}

function placeOf(registry: Registry, field: Field, way: readonly Field[]): Place[] {
  const { name } = field;
  if (isFileField(field)) return [[name, field]];
  if (way.includes(field)) return [];
  const within = [...way, field];
  if (isAnyRelation(field)) {
    const target = registry.get(field.to);
    return target ? [[field.embed ?? name, embedPlaces(registry, target, field.embedFields, within)]] : [];
  }
  if (isInverse(field)) {
    const other = registry.get(shownResource(field, registry.get(field.inverse.resource)));
    return other ? [[name, embedPlaces(registry, other, field.showFields, within)]] : [];
  }
  if (isRows(field))
    return [[name, placesOf(Object.values(field.columns).flatMap((column) => placeOf(registry, column, within)))]];
  return [];
}

/** Where files are in an embed that has these fields and embeds of its definition. */
function embedPlaces(
  registry: Registry,
  { fields }: Definition,
  names: readonly string[],
  way: readonly Field[],
): FilePlaces {
  const shown = names.flatMap(
    (name) => fields[name] ?? Object.values(fields).find((field) => field.embed === name) ?? [],
  );
  return placesOf(shown.flatMap((field) => placeOf(registry, field, way)));
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
  const places = filePlaces(registry, definition);
  let cached = writersCache.get(places);
  if (cached?.files !== files) {
    const writers = Object.fromEntries(
      [...places].map(([name, below]) => [
        name,
        (text: string) => JSON.stringify(withUrls(files, below, JSON.parse(text))),
      ]),
    );
    writersCache.set(places, (cached = { files, writers }));
  }
  return cached.writers;
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
  const places = filePlaces(registry, definition);
  for (const record of records) addUrls(files, places, record);
}

function addUrls(files: Program['files'], places: FilePlaces, record: ResourceRecord): void {
  for (const [name, below] of places) if (name in record) record[name] = withUrls(files, below, record[name]);
}

/** The value of a property: files, or an embedded record, or a list of these. */
function withUrls(files: Program['files'], below: Field | FilePlaces, value: unknown): unknown {
  if (!(below instanceof Map)) return withFileUrls(files, below as Field, value);
  for (const one of [value].flat())
    if (typeof one === 'object' && one !== null) addUrls(files, below, one as ResourceRecord);
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
