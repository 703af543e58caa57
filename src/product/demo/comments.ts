/** Comments for a test case's change to a status, by status id. */
export const testCaseComments: Readonly<Record<number, readonly string[]>> = {
  2: [
    "Fails on this morning's build. Steps and data are above; it happens every time.",
    'Happened in two of ten attempts. Throttle the connection to reproduce it every time.',
    "Same result with an empty cache. The browser log is attached to the client's ticket.",
    'Fails only for accounts created before the migration.',
    'The message is correct now, but the record is still stored.',
  ],
  3: [
    "Fixed in today's build. The cause was a missing index on the second query.",
    'The key is now created when the form opens and kept until the response arrives. Please test it on a slow network too.',
    'Reproduced and fixed. Added a unit test.',
    'It was a time zone problem. Please test it with Tokyo and New York.',
    'Ready for retest. A script corrected the old records.',
  ],
  4: [
    'Passed on staging three times in a row; goes live with the next release.',
    "Works with the client's data. Moved to production this evening.",
    "Live since this week's release. Please check it there once more.",
  ],
  5: [
    'Checked on production, works as described. Closed.',
    'Passed in the regression as well. Closing.',
    'Works on all browsers of the list. Thanks!',
    'The client confirmed that this is as intended. Closed.',
  ],
  6: [
    'Tried twenty times on two machines; could not reproduce it. Does it need a special account?',
    'Not seen since the last build. Please reopen it with a video if it happens again.',
    'Cannot reproduce it with the test data. Which record was it?',
  ],
};

/** Comments in between. */
export const testCaseQuestions: readonly string[] = [
  'Does this happen on phones too?',
  'Please add which build you tested.',
  'The specification says something else on page 14; I have asked the client.',
  'Same cause as in the previous test case, I think.',
  'I will look at this after the stand-up.',
  'Added a video. It happens at 0:42.',
];

/** Comments for a task's change to a status, by status id. */
export const taskComments: Readonly<Record<number, readonly string[]>> = {
  2: [
    'Started. First results tomorrow.',
    'Starting with the part that changed most.',
    'Working on it; the test system is free until noon.',
    'Started after the planning meeting.',
  ],
  3: [
    'Done. All results are in the linked test cases.',
    'Finished a day early.',
    'Done and reviewed by a second pair of eyes.',
    'Done; two findings are now separate tasks.',
  ],
  4: ['No longer needed: this part is replaced in the next release.', 'Cancelled after the call with the client.'],
};

/** Comments on a task in between. */
export const taskQuestions: readonly string[] = [
  'Halfway through. The rest needs the new test data.',
  'Waiting for access to the staging system.',
  'Took longer than estimated: the old build had to be set up first.',
  'Can we move the date by two days?',
  'Please link the test cases so that we can see what is covered.',
  'Discussed in the stand-up: phones first.',
];

/** Comments of time logs. */
export const timeLogComments: Readonly<Record<string, readonly string[]>> = {
  qa: [
    'Wrote test cases',
    'Regression on Chrome and Firefox',
    'Retested bug fixes',
    'Exploratory session, notes in the task',
    'Prepared test data',
    'Call with the developers about two failures',
    'Smoke test of the new build',
    'Automated two more checks',
    'Checked with a screen reader',
    'Recorded videos of the failures',
  ],
  developer: [
    'Reproduced and fixed',
    'Unit tests',
    'Code review',
    'Profiled and sped up the slow query',
    'Upgraded one library',
    'Traced the failure through the logs',
    'Fixed, waiting for the build',
    'Pairing',
    'Read the specification again',
  ],
  manager: [
    'Planning',
    'Call with the client',
    'Reviewed open bugs',
    'Estimate for the next phase',
    'Test report',
    'Stand-up and follow-up',
  ],
  owner: ['Tested the booking flow', 'Call with the ferry company', 'Checked the scanner on board'],
};
