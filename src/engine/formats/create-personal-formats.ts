import { isDate, shortMonthNames } from './dates';
import { createNumberParser } from './parse-number';
import type { PersonalFormats } from './personal';
import { firstOf, itemAt } from '../values/lookups';

/** The formats that a person can choose beside those that are specified: the browser's, a country's, or ISO 8601. */
export const formatChoices = [
  'browser',
  'en-GB',
  'en-US',
  'de-DE',
  'de-CH',
  'es-ES',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'sv-SE',
  'iso',
] as const;

export type FormatChoice = (typeof formatChoices)[number];

/** Days that a week may begin with, 0 for Sunday. */
export const weekStarts = [0, 1, 6] as const;

/** A part of a written day: its day, month or year, or what is between them. */
interface DatePart {
  readonly type: string;
  readonly value: string;
}

/** Matches marks of direction, which are no part of a date or number. */
const invisibleMarks = /[\u200e\u200f\u061c]/g;

/**
 * The formats of a choice; `browser` means the browser's language. They read everything that they write; ISO 8601 is always read.
 *
 * @example createPersonalFormats('de-DE').date('2026-12-31'); // '31.12.2026'
 */
export function createPersonalFormats(choice: FormatChoice, browserLocale = 'en-GB'): PersonalFormats {
  const isIso = choice === 'iso';
  const locale = isIso ? 'en-GB' : usableLocale(choice === 'browser' ? browserLocale : choice);
  return {
    locale,
    firstDay: isIso ? 1 : firstDayIn(locale),
    ...datesOf(isIso ? isoPattern : patternOf(locale)),
    ...numbersOf(locale),
    time: isIso || !hasTwelveHours(locale) ? (time) => time : twelveHours,
  };
}

/** The locale with the calendar and digits in which values are stored; British English if the runtime does not know it. */
function usableLocale(tag: string): string {
  try {
    return new Intl.Locale(tag, { calendar: 'gregory', numberingSystem: 'latn' }).toString();
  } catch {
    return 'en-GB';
  }
}

// Dates

/** How days are written. The months are names or numbers, January first. */
interface DatePattern {
  readonly parts: readonly DatePart[];
  readonly months: readonly string[];
  readonly longMonths: readonly string[];
  readonly isPadded: boolean;
}

const numericMonths = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'));
const isoPattern: DatePattern = {
  parts: ['year', '-', 'month', '-', 'day'].map((value) => ({ type: value === '-' ? 'literal' : value, value })),
  months: numericMonths,
  longMonths: [],
  isPadded: true,
};

/**
 * The usual pattern of a locale. Only a sample is formatted by `Intl`, since its calendar changes in 1582, and ours does
 * not. Where what it writes could not be read, months are numbers.
 */
function patternOf(locale: string): DatePattern {
  const localePattern = readPattern(locale, { dateStyle: 'medium' });
  const { date, parseDate } = datesOf(localePattern);
  const isReadable = localePattern.months.every((_, index) => {
    const day = `2026-${numericMonths[index]}-05`;
    return parseDate(date(day), day) === day;
  });
  return isReadable ? localePattern : readPattern(locale, { day: '2-digit', month: '2-digit', year: 'numeric' });
}

function readPattern(locale: string, options: Intl.DateTimeFormatOptions): DatePattern {
  const formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const long = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  const days = numericMonths.map((month) => new Date(`2026-${month}-05T00:00:00Z`));
  const partsOf = (day: Date): DatePart[] =>
    formatter.formatToParts(day).map(({ type, value }) => ({ type, value: value.replace(invisibleMarks, '') }));
  const parts = partsOf(firstOf(days));
  const monthOf = (day: Date) => partsOf(day).find(({ type }) => type === 'month')?.value ?? '';
  return {
    parts,
    months: days.map(monthOf),
    longMonths: days.map((day) => long.format(day)),
    isPadded: parts.some(({ type, value }) => type === 'day' && value === '05'),
  };
}

function datesOf(pattern: DatePattern): Pick<PersonalFormats, 'date' | 'parseDate'> {
  const { parts, months, isPadded } = pattern;
  const order = parts.map(({ type }) => type).filter((type) => type !== 'literal');
  const words = new Set(parts.flatMap(({ type, value }) => (type === 'literal' ? wordsOf(value) : [])));
  return {
    date: (day) => {
      const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(day);
      if (!match) return day;
      const texts: Record<string, string> = {
        year: itemAt(match, 1),
        month: months[Number(match[2]) - 1] ?? itemAt(match, 2),
        day: isPadded ? itemAt(match, 3) : String(Number(match[3])),
      };
      return parts.map(({ type, value }) => texts[type] ?? value).join('');
    },
    parseDate: (text, today) => {
      const typedWords = wordsOf(text).filter((word) => !words.has(word));
      const dateWords =
        /^\d{8}$/.test(typedWords.join('')) && typedWords.length === 1
          ? splitDigits(firstOf(typedWords), order)
          : typedWords;
      const date = dateOf(dateWords, order, pattern, today);
      return date !== undefined && isDate(date) ? date : undefined;
    },
  };
}

/** Its numbers and words in small letters, without what is between them. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\d+|[\p{L}\p{M}]+/gu) ?? [];
}

/** `31122026` in the order of the pattern. */
function splitDigits(digits: string, order: readonly string[]): string[] {
  let offset = 0;
  return order.map((type) => digits.slice(offset, (offset += type === 'year' ? 4 : 2)));
}

/** The day of two or three words, one of them the name of a month or none. */
function dateOf(
  words: readonly string[],
  order: readonly string[],
  pattern: DatePattern,
  today: string,
): string | undefined {
  if (words.length < 2 || words.length > 3) return undefined;
  const isName = (word: string) => !/^\d/.test(word);
  const name = words.find(isName);
  const numbers = words.filter((word) => !isName(word));
  if (numbers.length < words.length - 1) return undefined;
  const types = typesOf(numbers, name !== undefined, order);
  const valueOf = (type: string) => numbers[types.indexOf(type)];
  const month = name === undefined ? valueOf('month') : monthNamed(name, pattern);
  const [day, year] = [valueOf('day'), valueOf('year') ?? today.slice(0, 4)];
  if (!month || !day || month.length > 2 || day.length > 2) return undefined;
  return `${year.length === 2 ? today.slice(0, 2) + year : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The meaning of each typed number. Four digits are a year, wherever they are: in front, the order of ISO 8601 follows. */
function typesOf(numbers: readonly string[], isMonthNamed: boolean, order: readonly string[]): readonly string[] {
  const year = numbers.findIndex((number) => number.length === 4);
  if (isMonthNamed) {
    if (numbers.length === 1) return ['day'];
    return year < 0 ? order.filter((type) => type !== 'month') : year === 0 ? ['year', 'day'] : ['day', 'year'];
  }
  const dayAndMonth = order.filter((type) => type !== 'year');
  if (numbers.length === 2) return dayAndMonth;
  if (year === 0) return ['year', 'month', 'day'];
  // A locale that writes the year first has no order for a year at the end, which gets the usual one.
  if (year === 2) return [...(order[0] === 'year' ? ['day', 'month'] : dayAndMonth), 'year'];
  return order;
}

/** The number of a month by its name in the locale or in English, or by the first letters that no other has. */
function monthNamed(word: string, { months, longMonths }: DatePattern): string | undefined {
  const lists = [months, longMonths, shortMonthNames].map((names) => names.map((name) => wordsOf(name).join('')));
  for (const list of lists) {
    const index = list.indexOf(word);
    if (index >= 0) return String(index + 1);
  }
  if (word.length < 3) return undefined;
  const starts = (name: string, index: number) =>
    itemAt(lists, 1)[index]?.startsWith(word) || (word.startsWith(name) && name.length > 2);
  const matchingMonths = numericMonths.filter(
    (_, index) => starts(itemAt(firstOf(lists), index), index) || starts(itemAt(itemAt(lists, 2), index), index),
  );
  return matchingMonths.length === 1 ? matchingMonths[0] : undefined;
}

// Numbers

function numbersOf(locale: string): Pick<PersonalFormats, 'number' | 'parseNumber'> {
  const formatters = new Map<string, Intl.NumberFormat>();
  const number = (value: number, options: Intl.NumberFormatOptions) => {
    const key = JSON.stringify(options);
    let formatter = formatters.get(key);
    if (!formatter) formatters.set(key, (formatter = new Intl.NumberFormat(locale, options)));
    return formatter.format(value).replace(invisibleMarks, '');
  };
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(-12345678.5);
  const partOf = (wantedType: string) => parts.find(({ type }) => type === wantedType)?.value ?? '';
  return { number, parseNumber: createNumberParser(partOf('decimal') || '.', partOf('group')) };
}

// Times and weeks

function hasTwelveHours(locale: string): boolean {
  // Only these are read when typed: other languages have words of their own for the halves of a day.
  return (
    locale.startsWith('en') && new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).resolvedOptions().hour12 === true
  );
}

function twelveHours(time: string): string {
  const match = /^(\d{2}):(\d{2})$/.exec(time);
  if (!match) return time;
  const hour = Number(match[1]);
  return `${hour % 12 || 12}:${match[2]} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** Countries whose week begins on Sunday, for browsers that do not say. */
const sundayRegions = new Set('BR CA CO HK IL IN JP KR MX PH SG TH TW US ZA'.split(' '));

function firstDayIn(locale: string): number {
  const fullLocale = new Intl.Locale(locale).maximize() as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  const day = fullLocale.getWeekInfo?.().firstDay ?? fullLocale.weekInfo?.firstDay;
  return day === undefined ? (sundayRegions.has(fullLocale.region ?? '') ? 0 : 1) : day % 7;
}
