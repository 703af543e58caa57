/** What is said when a test case comes to a status, by its id. */
export const testCaseRemarks: Readonly<Record<number, readonly string[]>> = {
  2: [
    'Fails on the build of this morning. Steps and data are above; it happens every time.',
    'Seen twice out of ten attempts. Slow the connection down to see it at once.',
    'Still the same with an empty cache. Log of the browser is attached to the ticket of the client.',
    'Fails for accounts made before the migration only.',
    'The message is right now, but the record is stored all the same.',
  ],
  3: [
    'Mended in the build of today. The cause was a missing index on the second query.',
    'The key is now made when the form opens and kept until the answer arrives. Please try it with a slow network too.',
    'Could reproduce and mend it. Unit test added.',
    'Was a matter of the time zone. Please test it with Tokyo and with New York.',
    'Ready again. The old records were corrected by a script.',
  ],
  4: [
    'Passed on staging three times in a row; goes live with the next release.',
    'Works with the data of the client. Moved to production this evening.',
    'Live since the release of this week. Please have one more look there.',
  ],
  5: [
    'Checked on production, works as described. Closed.',
    'Passed in the regression as well. Closing.',
    'Works on all browsers of the list. Thanks!',
    'Agreed with the client that this is as wanted. Closed.',
  ],
  6: [
    'Tried twenty times on two machines; it does not happen. Does it need a special account?',
    'Not seen since the last build. Please reopen with a video if it comes back.',
    'Cannot reproduce it with the test data. Which record was it?',
  ],
};

/** What is said in between. */
export const questions: readonly string[] = [
  'Does this happen on phones too?',
  'Please add which build you tested.',
  'The specification says otherwise on page 14; I have asked the client.',
  'Same cause as in the neighbouring test case, I think.',
  'I will look at this after the stand-up.',
  'Video added. It begins at 0:42.',
];

/** What is said when a task comes to a status, by its id. */
export const taskRemarks: Readonly<Record<number, readonly string[]>> = {
  2: [
    'Started. First results tomorrow.',
    'Beginning with the part that changed most.',
    'Working on it; the test system is free until noon.',
    'Started after the planning.',
  ],
  3: [
    'Done. Everything is in the linked test cases.',
    'Finished a day early.',
    'Done and reviewed by a second pair of eyes.',
    'Complete; two findings have become tasks of their own.',
  ],
  4: ['No longer needed: the part is replaced in the next release.', 'Cancelled after the call with the client.'],
};

/** What is said about a task in between. */
export const taskQuestions: readonly string[] = [
  'Half way through. The rest needs the new test data.',
  'Waiting for access to the staging system.',
  'Took longer than estimated: the old build had to be set up first.',
  'Can we move the date by two days?',
  'Please link the test cases, so that we see what is covered.',
  'Discussed in the stand-up: phones first.',
];

/** What people write beside the time that they spent. */
export const timeRemarks: Readonly<Record<string, readonly string[]>> = {
  qa: [
    'Wrote test cases',
    'Regression on Chrome and Firefox',
    'Retest of mended faults',
    'Exploratory session, notes in the task',
    'Prepared test data',
    'Call with the developers about two failures',
    'Smoke test of the new build',
    'Automated two more checks',
    'Checked with a screen reader',
    'Recorded videos of the failures',
  ],
  developer: [
    'Reproduced and mended',
    'Unit tests',
    'Code review',
    'Measured and made the slow query faster',
    'Upgraded one library',
    'Traced the failure through the log',
    'Mended, waiting for the build',
    'Pairing',
    'Read the specification again',
  ],
  manager: [
    'Planning',
    'Call with the client',
    'Went through open faults',
    'Estimate for the next phase',
    'Test report',
    'Stand-up and follow-up',
  ],
  owner: ['Went through the booking flow', 'Call with the ferry company', 'Checked the scanner on board'],
};
