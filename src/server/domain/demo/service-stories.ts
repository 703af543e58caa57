import type { Stories } from './story';

/** What is tested in interfaces, cloud services and data warehouses. */
export const serviceStories: Stories = {
  Tokens: [
    [
      'Expired token is refused with 401',
      'Take a token;Wait until it has expired;List documents with it',
      '401 with a message that says so.',
      '500 with a stack trace.',
    ],
    [
      'Token of a test client opens no live document',
      'Ask for a live document with a test token',
      '404, as if it were not there.',
      '403, which tells that it exists.',
    ],
  ],
  'Rate limits': [
    [
      'Answer 429 says when to try again',
      'Send 101 requests within a minute',
      '429 with Retry-After in seconds.',
      '429 without Retry-After.',
    ],
  ],
  Upload: [
    [
      'File that is not what it claims is refused',
      'Upload a program named invoice.pdf',
      '415; nothing is stored.',
      'The file is stored as a PDF.',
    ],
  ],
  Validation: [
    [
      'All errors of a declaration come at once',
      'Send a declaration with three wrong fields',
      '422 with three messages, each on its field.',
      'Only the first error is named.',
    ],
  ],
  Signatures: [
    [
      'Changed document fails the check of its signature',
      'Sign a document;Change one byte;Check it',
      'The check fails and names the document.',
      'The check passes.',
    ],
  ],
  Delivery: [
    [
      'Webhook carries the event once',
      'Register a receiver;Release a document',
      'One call with the id of the event.',
      'Two calls with different ids.',
    ],
  ],
  Retries: [
    [
      'Receiver that fails is tried again with growing pauses',
      'Let the receiver answer 500;Release a document',
      'Tries after 1, 5, 25 minutes; then a mail.',
      'A try every second for an hour.',
    ],
  ],
  Rounding: [
    [
      'Sum of rounded lines equals the rounded sum',
      'Calculate a bill of 48 lines',
      'Both sums agree to the cent.',
      'The bill differs by two cents.',
    ],
    ['Half a cent is rounded to even', 'Calculate 0.125 and 0.135', '0.12 and 0.14.', '0.13 and 0.14.'],
  ],
  'Time of use': [
    [
      'Night tariff ends at the right hour when clocks change',
      'Calculate the night of the change in March',
      'Seven hours of night tariff.',
      'Eight hours are charged.',
    ],
    [
      'Holiday on a weekday has the weekend tariff',
      'Calculate the first of May on a Thursday',
      'Weekend tariff all day.',
      'Weekday tariff.',
    ],
  ],
  Retention: [
    [
      'Calculations older than ten years are removed',
      'Set the date ten years ahead;Run the cleaning',
      'Exactly the old ones are gone, with a line in the log.',
      'Nothing is removed.',
    ],
  ],
  Encryption: [
    [
      'Old key can be withdrawn after the new one is in use',
      'Change the key;Read old calculations;Withdraw the old key',
      'Old calculations can be read throughout.',
      'Calculations of the last day cannot be read.',
    ],
  ],
  Alarms: [
    [
      'Alarm is raised once, not every minute',
      'Stop the calculation for ten minutes',
      'One alarm, and one all-clear at the end.',
      'Ten alarms.',
    ],
  ],
  Backups: [
    [
      'Backup of last night can be restored',
      'Restore it into an empty account;Compare the counts',
      'All counts agree.',
      'The price tables are missing.',
    ],
  ],
  'Full load': [
    [
      'Full load of accounts matches the source to the row',
      'Load all accounts;Compare counts and sums',
      'No difference.',
      'Three closed accounts are missing.',
    ],
  ],
  'Change capture': [
    [
      'Row changed twice in a second arrives with its last value',
      'Change a row twice;Wait for the capture',
      'The second value is stored.',
      'The first value is stored.',
    ],
  ],
  Currencies: [
    [
      'Amount in yen has no decimals',
      'Load a booking of 1,500 yen',
      '1,500 in source and target.',
      '15.00 in the target.',
    ],
  ],
  History: [
    [
      'Address as it was at a given day can be asked for',
      'Change an address twice;Ask for the day between',
      'The address between both changes.',
      'The newest address.',
    ],
  ],
  'Daily balance': [
    [
      'Balance of the day agrees with the ledger',
      'Run the report;Compare it with the ledger',
      'Agrees to the cent.',
      'Differs by the bookings after 23:00.',
    ],
  ],
  'Audit trail': [
    [
      'Every read of a salary account is recorded',
      'Open a salary account as an analyst',
      'Who, when and which, within a minute.',
      'Reads through the view are not recorded.',
    ],
  ],
};
