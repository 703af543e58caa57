import { setLocalTimeZone } from './time-zone';

/**
 * How one person reads and types dates and numbers. A browser belongs to one person, so it sets theirs once, and every
 * text of a day or number follows. The server sets none: it answers many people, and its texts stay as specified.
 */
export interface PersonalFormats {
  /** The BCP 47 tag, for names of months and weekdays: `de-DE`. */
  readonly locale: string;
  /** The day a week begins with, 0 for Sunday to 6. */
  readonly firstDay: number;
  /** A day (`YYYY-MM-DD`): `31.12.2026`. */
  readonly date: (day: string) => string;
  /** A time of day (`HH:mm`): `14:05`, `2:05 PM`. */
  readonly time: (time: string) => string;
  readonly number: (value: number, options: Intl.NumberFormatOptions) => string;
  /** A typed day as `YYYY-MM-DD`; a missing year is that of `today`. Undefined if it cannot be parsed. */
  readonly parseDate: (text: string, today: string) => string | undefined;
  /** Undefined if the text is no number. */
  readonly parseNumber: (text: string) => number | undefined;
}

/** The formats in force; undefined: as specified for everybody who chose none. */
export let personal: PersonalFormats | undefined;
let weekStart: number | null = null;

/**
 * Shows and reads dates and numbers as a person does, from now on; as specified without an argument. A first day of the
 * week goes before that of the formats.
 *
 * @example setPersonalFormats(createPersonalFormats('de-DE'));
 */
export function setPersonalFormats(formats?: PersonalFormats, firstDay: number | null = null): void {
  personal = formats;
  weekStart = firstDay;
}

/** Who reads a text that is written now. */
export interface Reader {
  readonly formats: PersonalFormats | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/**
 * Writes dates, times and numbers as a reader reads them, while the function runs: a server writes to many. It must
 * not wait for anything.
 *
 * @example writeFor({ formats: createPersonalFormats('de-DE'), timeZone: 'Europe/Berlin' }, () => formatDate('2026-12-31')); // '31.12.2026'
 */
export function writeFor<Result>({ formats, timeZone }: Reader, write: () => Result): Result {
  const previousFormats = personal;
  personal = formats;
  const restoreZone = setLocalTimeZone(timeZone);
  try {
    return write();
  } finally {
    personal = previousFormats;
    restoreZone();
  }
}

/**
 * Reads days, times and numbers as a person writes them, while the function runs. It must not wait for anything.
 *
 * @example readAs({ formats: createPersonalFormats('en-US'), timeZone }, () => parseTypedDate('12/05/2026', today)); // '2026-12-05'
 */
export const readAs: <Result>(writer: Reader, read: () => Result) => Result = writeFor;

/**
 * The day a week begins with, 0 for Sunday to 6: Monday unless the person chose another.
 *
 * @example firstDayOfWeek(); // 1
 */
export function firstDayOfWeek(): number {
  return weekStart ?? personal?.firstDay ?? 1;
}

/**
 * The locale for names of months and weekdays: the person's, or what the caller uses for everybody else.
 *
 * @example new Intl.DateTimeFormat(personalLocale('en-GB'), { weekday: 'short' });
 */
export function personalLocale(defaultLocale: string): string {
  return personal?.locale ?? defaultLocale;
}

/**
 * A formatter for parts of dates, in the person's locale or in British English. Creating one is expensive, so it is
 * created when it is first used, and again when the locale changes.
 *
 * @example const dayOfYear = personalFormatter({ day: 'numeric', month: 'short' }); // dayOfYear().format(date)
 */
export function personalFormatter(
  options: Intl.DateTimeFormatOptions,
  defaultLocale = 'en-GB',
): () => Intl.DateTimeFormat {
  let [formatter, formatterLocale]: [Intl.DateTimeFormat?, string?] = [];
  return () => {
    const locale = personalLocale(defaultLocale);
    if (!formatter || formatterLocale !== locale)
      [formatter, formatterLocale] = [new Intl.DateTimeFormat(locale, options), locale];
    return formatter;
  };
}
