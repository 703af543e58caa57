import { itemAt } from '../values/lookups';
import { addDays } from './dates';
import { personalLocale } from './personal';
import { parseTypedDate, parseTypedDuration } from './parse-typed-values';

/** A line about time that was spent, as it is understood. All else is the comment. */
export interface LogLine {
  /** May be 0, or more than a day has. */
  readonly minutes?: number;
  /** `YYYY-MM-DD`; may be in the future. */
  readonly date?: string;
  /** The key of a record, as it was typed. */
  readonly key?: string;
  readonly comment: string;
}

/** The longest part that is read as one: `1 h 15 min`. */
const mostWords = 4;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const weekdayPattern = /^(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?$/;
const monthPattern =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
/** A part after one of these belongs to the comment: `meeting at 2h`, `prepared it for Monday`. */
const prepositions = new Set(['after', 'at', 'before', 'by', 'for', 'from', 'since', 'till', 'to', 'until', 'via']);

/**
 * Reads a line such as `2h yesterday checked receipts`: a duration and a day at its start or its end, in any order, and a key of a
 * record anywhere. Each is read once; a day without a year is the last such day up to `today`. All else stays in the comment.
 *
 * @example parseLogLine('2h yesterday checked receipts', '2026-11-27'); // { minutes: 120, date: '2026-11-26', comment: 'checked receipts' }
 */
export function parseLogLine(text: string, today: string, isKey: (word: string) => boolean = () => false): LogLine {
  const words = text.trim().split(/\s+/);
  const keyIndex = words.findIndex((word) => isKey(withoutMark(word)));
  const key = keyIndex < 0 ? undefined : withoutMark(itemAt(words, keyIndex));
  if (keyIndex >= 0) words.splice(keyIndex, 1);
  const parts: { minutes?: number; date?: string } = {};
  while (takePart(words, parts, today, true));
  while (takePart(words, parts, today, false));
  return { ...parts, ...(key !== undefined && { key }), comment: words.join(' ').replace(/^[-–:,]\s+/, '') };
}

const withoutMark = (word: string) => word.replace(/[,:;.]$/, '');

/** Takes the longest part at the start or at the end out of the words; false: there is none. */
function takePart(
  words: string[],
  parts: { minutes?: number; date?: string },
  today: string,
  isStart: boolean,
): boolean {
  for (let count = Math.min(mostWords, words.length); count > 0; count -= 1) {
    const first = isStart ? 0 : words.length - count;
    const text = words
      .slice(first, first + count)
      .join(' ')
      .toLowerCase();
    const [previousWord, nextWord] = [words[first - 1], words[first + count]].map((word) => word?.toLowerCase());
    if (previousWord !== undefined && prepositions.has(previousWord)) continue;
    const minutes = parts.minutes === undefined ? readDuration(text, nextWord) : undefined;
    const date =
      minutes === undefined && parts.date === undefined && !isCount(text, nextWord) ? readDay(text, today) : undefined;
    if (minutes === undefined && date === undefined) continue;
    Object.assign(parts, minutes === undefined ? { date } : { minutes });
    words.splice(first, count);
    return true;
  }
  return false;
}

function readDuration(text: string, nextWord: string | undefined): number | undefined {
  const spokenText = text.replace(/^for /, '');
  // `2h 3 Dec` is two hours, `1:30 pm` a time of day, `1h 5 checks` an hour.
  if (
    /\d$/.test(spokenText) &&
    nextWord !== undefined &&
    (/^[ap]m\b/.test(nextWord) || isMonthName(nextWord.replace(/\W+$/, '')))
  )
    return undefined;
  if (/ \d$/.test(spokenText)) return undefined;
  return parseTypedDuration(spokenText);
}

/** `8/10 passed`, `3-4 cases`: two numbers before a word that is no duration. */
function isCount(text: string, nextWord: string | undefined): boolean {
  return /^\d{1,2}[/-]\d{1,2}$/.test(text) && nextWord !== undefined && parseTypedDuration(nextWord) === undefined;
}

function readDay(text: string, today: string): string | undefined {
  const spokenText = text.replace(/^on /, '');
  const offset = ['yesterday', 'today', 'tomorrow'].indexOf(spokenText);
  if (offset >= 0) return addDays(today, offset - 1);
  if (weekdayPattern.test(spokenText)) {
    const weekday = weekdays.indexOf(spokenText.slice(0, 3));
    const current = new Date(`${today}T00:00:00Z`).getUTCDay();
    return addDays(today, -((current - weekday + 7) % 7));
  }
  return readDate(spokenText, today);
}

/** A month and nothing more, in English or in the person's language: `market` and `octopus` begin like one. */
function isMonthName(word: string): boolean {
  if (monthPattern.test(word)) return true;
  return (['short', 'long'] as const).some((month) => {
    const formatter = new Intl.DateTimeFormat(personalLocale('en'), { month, timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, index) => formatter.format(Date.UTC(2026, index)).toLowerCase()).some(
      (name) => name.replace(/\.$/, '') === word,
    );
  });
}

/** With a name of a month, or with marks that no number has: `3 Dec`, `Dec 3`, `12.11.`, `12/11`, `2026-11-12`. */
function readDate(text: string, today: string): string | undefined {
  const monthMatch = /^(?:(\d{1,2})\.? ?([a-z]{3,9})|([a-z]{3,9}) (\d{1,2}))\.?,?( \d{4})?$/.exec(text);
  if (monthMatch && !isMonthName(monthMatch[2] ?? itemAt(monthMatch, 3))) return undefined;
  const isNumeric =
    /^\d{1,2}\.\d{1,2}\.(\d{2}|\d{4})?$|^\d{1,2}[/-]\d{1,2}([/-](\d{2}|\d{4}))?$|^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!monthMatch && !isNumeric) return undefined;
  const day = monthMatch
    ? `${monthMatch[1] ?? monthMatch[4]} ${monthMatch[2] ?? monthMatch[3]}${monthMatch[5] ?? ''}`
    : text;
  const date = parseTypedDate(day, today);
  const hasYear = monthMatch ? monthMatch[5] !== undefined : text.split(/[./-]/).filter(Boolean).length > 2;
  if (hasYear || (date !== undefined && date <= today)) return date;
  return parseTypedDate(day, `${Number(today.slice(0, 4)) - 1}-12-31`) ?? date;
}
