import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createPersonalFormats, formatChoices } from '../../../src/engine/formats/create-personal-formats';
import { meansCurrency, splitAmount } from '../../../src/engine/formats/amounts';
import { addDays, formatDate, formatInstant } from '../../../src/engine/formats/dates';
import { formatMoney } from '../../../src/engine/formats/money';
import { formatHours, formatNumber, withDecimalSign, withSeparators } from '../../../src/engine/formats/numbers';
import { firstDayOfWeek, setPersonalFormats } from '../../../src/engine/formats/personal';
import { parseTypedDate, parseTypedNumber, parseTypedTime } from '../../../src/engine/formats/parse-typed-values';

/** Languages that nobody chooses by name, but browsers have. */
const browserLocales = [
  'ar-EG',
  'en-IN',
  'fa-IR',
  'fi-FI',
  'he-IL',
  'hi-IN',
  'ko-KR',
  'ru-RU',
  'th-TH',
  'vi-VN',
  'zh-CN',
];
const all = [
  ...formatChoices.filter((choice) => choice !== 'browser').map((choice) => [choice, 'en'] as const),
  ...browserLocales.map((locale) => ['browser', locale] as const),
];
const today = '2026-11-26';
const days = fc.integer({ min: 0, max: 3_652_058 }).map((count) => addDays('0001-01-01', count));

afterEach(() => setPersonalFormats());

describe.each(all)('%s (%s)', (choice, browserLocale) => {
  const choose = () => setPersonalFormats(createPersonalFormats(choice, browserLocale));

  test('a formatted day is parsed as that day, and ISO 8601 too', () => {
    choose();
    fc.assert(
      fc.property(days, (day) => {
        expect(parseTypedDate(formatDate(day), today)).toBe(day);
        expect(parseTypedDate(formatDate(day).toUpperCase(), today)).toBe(day);
        expect(parseTypedDate(day, today)).toBe(day);
      }),
    );
  });

  test('a formatted number is parsed as that number', () => {
    choose();
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });
    fc.assert(
      fc.property(number, fc.integer({ min: 0, max: 6 }), (value, digits) => {
        expect(parseTypedNumber(withDecimalSign(String(value)))).toBeCloseTo(value, 12);
        const fixed = value.toFixed(digits);
        expect(parseTypedNumber(withSeparators(fixed))).toBeCloseTo(Number(fixed), 6);
        expect(parseTypedNumber(withDecimalSign(fixed))).toBeCloseTo(Number(fixed), 6);
      }),
    );
  });

  test('a formatted amount is parsed as that amount of its currency', () => {
    choose();
    const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'CHF', 'BRL', 'PLN');
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), currency, fc.constantFrom(0, 2, 3), (whole, code, digits) => {
        const amount = whole / 10 ** digits;
        const written = splitAmount(formatMoney(amount, code, digits));
        expect(written?.amount).toBeCloseTo(amount, 9);
        expect(meansCurrency(written!.currency, code)).toBe(true);
      }),
    );
  });

  test('a formatted time of day is parsed as that time', () => {
    choose();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), (minute) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const shown = formatInstant(`2026-11-26T${time}:00Z`, 'UTC').slice(formatDate('2026-11-26').length + 1);
        expect(parseTypedTime(shown)).toBe(time);
      }),
    );
  });
});

const written = (choice: (typeof formatChoices)[number]) => {
  setPersonalFormats(createPersonalFormats(choice));
  return [formatDate('2026-12-31'), formatNumber(210079.5), formatMoney(1234.5, 'EUR', 2)].map((text) =>
    text.replace(/[\u00a0\u202f]/g, ' '),
  );
};

test('dates, numbers and money are written as the person reads them', () => {
  expect(written('en-GB')).toEqual(['31 Dec 2026', '210,079.5', '€1,234.50']);
  expect(written('en-US')).toEqual(['Dec 31, 2026', '210,079.5', '€1,234.50']);
  expect(written('de-DE')).toEqual(['31.12.2026', '210.079,5', '1.234,50 €']);
  expect(written('fr-FR')).toEqual(['31 déc. 2026', '210 079,5', '1 234,50 €']);
  expect(written('iso')).toEqual(['2026-12-31', '210,079.5', '€1,234.50']);
});

test('a person without chosen formats sees the specified ones', () => {
  setPersonalFormats(createPersonalFormats('de-DE'));
  setPersonalFormats();
  expect(formatDate('2026-12-31')).toBe('31-Dec-2026');
  expect(formatInstant('2026-11-16T14:05:00Z', 'UTC')).toBe('16-Nov-2026 14:05');
  expect(formatHours(210079.5)).toBe('210,079.5 h');
  expect(withDecimalSign('1234.50')).toBe('1234.50');
  expect(firstDayOfWeek()).toBe(1);
});

test.each([
  ['de-DE', '31.12.2026', '2026-12-31'],
  ['de-DE', '31.12.', '2026-12-31'],
  ['de-DE', '3. März 26', '2026-03-03'],
  ['de-DE', '31 Dec 2026', '2026-12-31'],
  ['de-DE', '31122026', '2026-12-31'],
  ['de-DE', '2026-12-31', '2026-12-31'],
  ['en-US', '12/31/2026', '2026-12-31'],
  ['en-US', '12/31', '2026-12-31'],
  ['en-US', 'December 31, 2026', '2026-12-31'],
  ['en-US', '31 Dec 2026', '2026-12-31'],
  ['en-US', '12312026', '2026-12-31'],
  ['en-US', '31/12/2026', undefined],
  ['en-GB', '12/31/2026', undefined],
  ['en-GB', '31/12/2026', '2026-12-31'],
  ['fr-FR', '31 décembre 2026', '2026-12-31'],
  ['pt-BR', '31 de dezembro de 2026', '2026-12-31'],
  ['ja-JP', '2026/12/31', '2026-12-31'],
  ['ja-JP', '31.12.2026', '2026-12-31'],
  ['de-DE', '30.2.2026', undefined],
  ['de-DE', 'morgen', undefined],
  ['de-DE', '31.12.206', undefined],
  ['de-DE', '', undefined],
] as const)('%s: the typed day %s is %s', (choice, text, day) => {
  setPersonalFormats(createPersonalFormats(choice));
  expect(parseTypedDate(text, today)).toBe(day);
});

test.each([
  ['de-DE', '1.234,5', 1234.5],
  ['de-DE', '12,5', 12.5],
  ['de-DE', '12.5', 12.5],
  ['de-DE', '1.234', 1234],
  ['en-US', '1,234', 1234],
  ['en-US', '1,234.5', 1234.5],
  ['en-US', '12,5', 12.5],
  ['de-CH', '1’234.50', 1234.5],
  ['fr-FR', '1 234,5', 1234.5],
  ['de-DE', '1.23.4', undefined],
  ['de-DE', '1,2,3', undefined],
  ['de-DE', 'zwölf', undefined],
] as const)('%s: the typed number %s is %s', (choice, text, number) => {
  setPersonalFormats(createPersonalFormats(choice));
  expect(parseTypedNumber(text)).toBe(number);
});

test('a week begins as the country says, or as the person says', () => {
  const firstDay = (choice: (typeof formatChoices)[number], weekStart?: number) => {
    setPersonalFormats(createPersonalFormats(choice), weekStart);
    return firstDayOfWeek();
  };
  expect([firstDay('en-US'), firstDay('de-DE'), firstDay('iso'), firstDay('ja-JP')]).toEqual([0, 1, 1, 0]);
  expect([firstDay('en-US', 1), firstDay('de-DE', 6)]).toEqual([1, 6]);
});

test('a browser language that the runtime does not know is read as British English', () => {
  expect(createPersonalFormats('browser', 'no such tag').date('2026-12-31')).toBe('31 Dec 2026');
});
