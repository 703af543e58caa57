import { isDate } from '../formats/dates';
import { createNumberParser, isAmbiguousNumber, provenDecimalSign } from '../formats/parse-number';
import type { PersonalFormats } from '../formats/personal';
import { createPersonalFormats } from '../formats/create-personal-formats';
import { orderInCell } from '../field-types/date';
import { parseNumber } from '../field-types/number';
import { formatsOfKind, type CellFormat, type FormatKind } from './cell-formats';

/** How a column is read, and why: by its own cells, by the person's choice for the file, or as the person writes. */
export interface ColumnFormat {
  readonly kind: FormatKind;
  readonly format: CellFormat;
  readonly by: 'file' | 'hand' | 'person';
  /** Cells that mean something else in the other format. */
  readonly samples: readonly string[];
}

const maxSamples = 3;

/** Collects how the cells of a column can be read. */
export class ColumnFormatFinder {
  private readonly unambiguousFormats = new Set<CellFormat>();
  private readonly samples = new Set<string>();

  constructor(private readonly kind: FormatKind) {}

  add(text: string): void {
    const format = this.kind === 'date' ? orderInCell(text) : numberFormatIn(text);
    if (format === undefined) return;
    if (format !== 'either') this.unambiguousFormats.add(format);
    else if (this.samples.size < maxSamples) this.samples.add(text);
  }

  /** How the column is read; undefined if its cells do not depend on it. */
  find(person: PersonalFormats | undefined, chosenFormat: CellFormat | undefined): ColumnFormat | undefined {
    const { kind, unambiguousFormats } = this;
    if (this.samples.size === 0 && unambiguousFormats.size === 0 && chosenFormat === undefined) return undefined;
    const [unambiguousFormat] = unambiguousFormats;
    const isChosen = chosenFormat !== undefined && formatsOfKind[kind].includes(chosenFormat);
    const isProven = unambiguousFormats.size === 1 && unambiguousFormat !== undefined;
    return {
      kind,
      format: isChosen ? chosenFormat : isProven ? unambiguousFormat : formatOf(kind, person),
      by: isChosen ? 'hand' : isProven ? 'file' : 'person',
      samples: [...this.samples],
    };
  }
}

function numberFormatIn(text: string): CellFormat | 'either' | undefined {
  const sign = provenDecimalSign(text);
  if (sign) return sign === ',' ? 'comma' : 'point';
  return isAmbiguousNumber(text) ? 'either' : undefined;
}

/** The format in which a person writes. */
function formatOf(kind: FormatKind, person: PersonalFormats | undefined): CellFormat {
  if (!person) return kind === 'date' ? 'dmy' : 'point';
  if (kind === 'number')
    return person.parseNumber('1,5') === 1.5 && person.parseNumber('1,234') !== 1234 ? 'comma' : 'point';
  return person.parseDate('01/02/2026', '2026-01-01') === '2026-01-02' ? 'mdy' : 'dmy';
}

/**
 * The formats in which the cells of a column are read: as the person writes, apart from what was found or chosen for
 * the column. A workbook has numbers as such, with a decimal point.
 *
 * @example readingFormats(person, { kind: 'date', format: 'mdy', by: 'file', samples: [] }, false);
 */
export function readingFormats(
  person: PersonalFormats | undefined,
  column: ColumnFormat | undefined,
  hasNumbers: boolean,
): PersonalFormats | undefined {
  if (!column && !(hasNumbers && person)) return person;
  const base = person ?? defaultFormats();
  const order = column?.kind === 'date' ? (column.format === 'mdy' ? american() : defaultFormats()) : undefined;
  const parse =
    column?.kind === 'number'
      ? column.format === 'comma'
        ? createNumberParser(',', '.')
        : createNumberParser('.', ',')
      : base.parseNumber;
  return {
    ...base,
    parseDate: (text, today) => (order && !/\p{L}/u.test(text) && !isDate(text) ? order : base).parseDate(text, today),
    parseNumber: (text) => (hasNumbers ? parseNumber(text) : undefined) ?? parse(text),
  };
}

/** The formats that are specified, with the day first and a decimal point, and those with the month first. */
const defaultFormats = memoize(() => createPersonalFormats('en-GB'));
const american = memoize(() => createPersonalFormats('en-US'));

function memoize<Value>(make: () => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => (result ??= { value: make() }).value;
}
