import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import type { ImportTarget, MatchedColumn } from '../../engine/imports/headings';
import type { JoinedRow } from '../../engine/imports/join-rows';
import { meant, readCell } from '../../engine/imports/read-cell';
import type { FieldErrors } from '../../engine/validation/check-values';
import { choiceMessage } from '../../engine/validation/messages';
import type { Input } from '../records/input';
import type { ReferenceFinder } from './find-references';

const formula = 'A formula is not imported: put its value in its place.';
const divides = /[/>\\»→]/;

/** What every record of an import has in common. */
export interface Reading {
  readonly definition: Definition;
  readonly columns: readonly MatchedColumn[];
  readonly targets: readonly ImportTarget[];
  /** Values that are not read from the file. */
  readonly given: ResourceRecord;
  readonly formulas: ReadonlySet<string>;
  readonly finder: ReferenceFinder;
}

interface Draft {
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
  /** The text of each field's cell. */
  readonly texts: Map<string, string>;
}

/** Reads rows into records: cells by their fields' types, relations by title or e-mail address. */
export async function readRecords(reading: Reading, rows: readonly JoinedRow[]): Promise<Input[]> {
  const drafts = rows.map((row) => draftOf(reading, row));
  // In the definition's order: the choices of one relation may depend on another before it.
  for (const field of Object.values(reading.definition.fields)) {
    if (field.type === 'relation') await relate(reading, field, drafts);
    else if (field.type === 'relations') await relateMany(reading, field, drafts);
  }
  return drafts.map(({ values, errors }) => ({ values, errors, kept: [] }));
}

function draftOf({ definition, columns, targets, given, formulas }: Reading, row: JoinedRow): Draft {
  const draft: Draft = { values: { ...given }, errors: {}, texts: new Map() };
  columns.forEach(({ field: value }, index) => {
    const target = targets.find((one) => one.value === value);
    if (!target) return;
    const text = (row.cells[index] ?? '').trim();
    if (row.rows.some(({ number }) => formulas.has(`${number}:${index}`))) {
      draft.errors[target.fields[0]!] = formula;
      return;
    }
    if (text === '') return;
    const parts = target.fields.length === 1 ? [text] : pathOf(text, target.fields.length);
    target.fields.forEach((name, at) => {
      if (parts[at]) readField(definition, definition.fields[name]!, parts[at], draft);
    });
  });
  return draft;
}

/** `Payments / Refunds` in as many parts as there are fields; what goes deeper stays with the last. */
function pathOf(text: string, most: number): string[] {
  const parts = text
    .split(divides)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(' / ')];
}

function readField(definition: Definition, field: Field, text: string, draft: Draft): void {
  if (field.to !== undefined) {
    draft.texts.set(field.name, text);
    return;
  }
  const read = readCell(definition, field, text);
  if ('message' in read) draft.errors[field.name] = read.message;
  else if (read.value !== null) draft.values[field.name] = typeOf(field).parse(read.value, field) ?? null;
}

async function relate({ definition, finder }: Reading, field: Field, drafts: readonly Draft[]): Promise<void> {
  const asked = drafts.filter(({ texts }) => texts.has(field.name));
  if (asked.length === 0) return;
  const written = asked.map(({ texts }) => texts.get(field.name)!);
  const found = await finder.find(asked.map(({ values }, index) => ({ field, text: written[index]!, form: values })));
  // What other programs write counts where nothing here is called so.
  const meanings = written.map((text) => meant(definition, field, text));
  const again = asked.flatMap((_, index) =>
    found[index] === 'none' && meanings[index] !== written[index] ? [index] : [],
  );
  const second = await finder.find(
    again.map((index) => ({ field, text: meanings[index]!, form: asked[index]!.values })),
  );
  again.forEach((index, at) => (found[index] = second[at]!));
  asked.forEach((draft, index) => settle(draft, field, found[index]!, written[index]!));
}

function settle(draft: Draft, field: Field, found: number | 'none' | 'several', text: string): void {
  if (typeof found === 'number') draft.values[field.name] = found;
  else if (found === 'several') draft.errors[field.name] = `${field.label}: several are called ${text.slice(0, 100)}.`;
  else draft.errors[field.name] = choiceMessage(field);
}

async function relateMany({ finder }: Reading, field: Field, drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) {
    const text = draft.texts.get(field.name);
    if (text === undefined) continue;
    const names = text.split(/[,;\n]/).map((name) => name.trim()).filter((name) => name !== ''); // prettier-ignore
    const found = await finder.find(names.map((name) => ({ field, text: name, form: draft.values })));
    if (found.every((id) => typeof id === 'number')) draft.values[field.name] = found;
    else draft.errors[field.name] = choiceMessage(field);
  }
}
