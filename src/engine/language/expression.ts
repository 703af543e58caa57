import { anyValue, file, part } from './key';

/** A value that is calculated from a record. */
export const expression = file(
  'Expression',
  part({
    help: 'A value that is calculated from the record, as data: an object has one operator and its arguments, `"$record.price"` is the value of a field of this record, `"$today"` the caller\'s day, and any other text, number, `true`, `false` or `null` is itself. Without a value a field is null, and most operators give null for null. Numbers are exact decimals, rounded to the `digits` of the field in the end.',
    examples: [
      { $multiply: ['$record.price', '$record.quantity'] },
      { $if: { condition: { state: 'open' }, then: { $daysBetween: ['$record.due_on', '$today'] }, else: 0 } },
      { $round: [{ $hoursBetween: ['$record.created_at', '$record.answered_at'] }, 1] },
      { $addWorkingHours: ['$record.created_at', 8] },
      { $concat: ['$record.first_name', ' ', { $left: ['$record.last_name', 1] }, '.'] },
    ],
    minProperties: 1,
    maxProperties: 1,
    keys: {
      $add: anyValue({ help: 'The sum of numbers.' }),
      $subtract: anyValue({ help: '`[a, b]`: a minus b.' }),
      $multiply: anyValue({ help: 'The product of numbers.' }),
      $divide: anyValue({ help: '`[a, b]`: a by b. Null if b is 0.' }),
      $round: anyValue({ help: '`[number, decimals]` (default 0): a half is rounded away from zero.' }),
      $floor: anyValue({ help: 'The greatest whole number that is not greater.' }),
      $ceil: anyValue({ help: 'The least whole number that is not less.' }),
      $abs: anyValue({ help: 'The number without its sign.' }),
      $min: anyValue({ help: 'The least of numbers, dates or texts; nulls do not count.' }),
      $max: anyValue({ help: 'The greatest of numbers, dates or texts; nulls do not count.' }),
      $concat: anyValue({ help: 'Texts, numbers and dates as one text; a null adds nothing.' }),
      $lower: anyValue({ help: 'The text in lower case.' }),
      $upper: anyValue({ help: 'The text in upper case.' }),
      $trim: anyValue({ help: 'The text without blanks and line breaks around it.' }),
      $left: anyValue({ help: '`[text, n]`: its first n characters.' }),
      $right: anyValue({ help: '`[text, n]`: its last n characters.' }),
      $length: anyValue({ help: 'The number of characters of a text.' }),
      $coalesce: anyValue({ help: 'The first of these that is not null.' }),
      $daysBetween: anyValue({ help: '`[from, to]`: the days from one date to another, below 0 if `to` is earlier.' }),
      $monthsBetween: anyValue({
        help: '`[from, to]`: the whole months between two dates. The last day of a shorter month completes one: from 31 January to 28 February is 1.',
      }),
      $yearsBetween: anyValue({ help: '`[from, to]`: the whole years between two dates.' }),
      $addDays: anyValue({ help: '`[date, n]`: the date n days later.' }),
      $addMonths: anyValue({ help: '`[date, n]`: the same day n months later, or the last of a shorter month.' }),
      $minutesBetween: anyValue({
        help: '`[from, to]`: the minutes from one date-time to another, with fractions, below 0 if `to` is earlier.',
      }),
      $hoursBetween: anyValue({
        help: '`[from, to]`: the hours from one date-time to another, with fractions: exact time, also where clocks change meanwhile.',
      }),
      $addMinutes: anyValue({ help: '`[date-time, n]`: the date-time n minutes later.' }),
      $addHours: anyValue({
        help: '`[date-time, n]`: the date-time n hours later: `{ "$addHours": ["$record.created_at", 8] }`. An hour is 60 minutes, also where clocks change meanwhile; n may have fractions.',
      }),
      $addWorkingHours: anyValue({
        help: '`[date-time, n]` or `[date-time, n, "Support"]`: the date-time n hours of work later, by the calendar of that name of the record\'s company, otherwise by its default one: outside of working hours and on holidays time stands still. n may have fractions, and be below 0. 0 is the next moment of work. Not for columns of rows. Null if no calendar has the name, or if it would be more than three years away. Forms show it once the record is saved.',
      }),
      $workingDays: anyValue({
        help: '`[from, to]` or `[from, to, "Office"]`: the working days between two dates, both included, without holidays, by a calendar as for `$addWorkingHours`; 0 if `to` is earlier: `{ "$workingDays": ["$record.from_on", "$record.due_on"] }`. Forms show it once the record is saved.',
      }),
      $year: anyValue({ help: 'The year of a date.' }),
      $month: anyValue({ help: 'The month of a date, 1 to 12.' }),
      $day: anyValue({ help: 'The day of a date, 1 to 31.' }),
      $dayOf: anyValue({ help: 'The date of a date-time in the time zone of the caller.' }),
      $eq: anyValue({ help: '`[a, b]`: whether both are equal; null equals null.' }),
      $ne: anyValue({ help: '`[a, b]`: whether they differ.' }),
      $gt: anyValue({ help: '`[a, b]`: whether a is greater or later than b; never true of null.' }),
      $gte: anyValue({ help: '`[a, b]`: whether a is greater than b, later, or equal.' }),
      $lt: anyValue({ help: '`[a, b]`: whether a is less or earlier than b; never true of null.' }),
      $lte: anyValue({ help: '`[a, b]`: whether a is less than b, earlier, or equal.' }),
      $if: part({
        help: 'One of two values: `condition` is a condition on fields of this record, or an expression that is true or false. Without `else` it is null.',
        required: ['condition', 'then'],
        keys: {
          condition: anyValue({ help: 'The condition.' }),
          then: anyValue({ help: 'The value where it holds.' }),
          else: anyValue({ help: 'The value where it does not.', default: null }),
        },
      }),
      $literal: anyValue({ help: 'A text as it is, even if it begins with $.' }),
    },
  }),
);
