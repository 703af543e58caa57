import type { TestCaseTemplates } from './test-case-template';

/** Test cases of APIs, cloud services and data warehouses. */
export const serviceTestCases: TestCaseTemplates = {
  Tokens: [
    [
      'Expired token is refused with 401',
      'Create a token;Wait until it expires;List documents with it',
      '401 with a clear message.',
      '500 with a stack trace.',
    ],
    [
      'Test token cannot read live documents',
      'Ask for a live document with a test token',
      '404, as if it did not exist.',
      '403, which reveals that it exists.',
    ],
  ],
  'Rate limits': [
    [
      'Response 429 says when to retry',
      'Send 101 requests within a minute',
      '429 with Retry-After in seconds.',
      '429 without Retry-After.',
    ],
  ],
  Upload: [
    [
      'File with a false extension is refused',
      'Upload an executable named invoice.pdf',
      '415; nothing is stored.',
      'The file is stored as a PDF.',
    ],
  ],
  Validation: [
    [
      'All errors of a declaration are returned at once',
      'Send a declaration with three wrong fields',
      '422 with three messages, each on its field.',
      'Only the first error is named.',
    ],
  ],
  Signatures: [
    [
      'Signature check fails for a changed document',
      'Sign a document;Change one byte;Check it',
      'The check fails and names the document.',
      'The check passes.',
    ],
  ],
  Delivery: [
    [
      'Webhook delivers the event once',
      'Register a receiver;Release a document',
      'One call with the id of the event.',
      'Two calls with different ids.',
    ],
  ],
  Retries: [
    [
      'Failed delivery is retried with increasing delays',
      'Let the receiver answer 500;Release a document',
      'Retries after 1, 5 and 25 minutes, then a mail.',
      'A retry every second for an hour.',
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
      'Night tariff ends at the right hour on clock changes',
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
      'Set the date ten years ahead;Run the cleanup',
      'Exactly the old ones are removed and logged.',
      'Nothing is removed.',
    ],
  ],
  Encryption: [
    [
      'Old key can be revoked once the new one is in use',
      'Rotate the key;Read old calculations;Revoke the old key',
      'Old calculations stay readable.',
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
      'Full load of accounts matches the source exactly',
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
      'Address history can be queried by date',
      'Change an address twice;Query the day in between',
      'The address after the first change.',
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
