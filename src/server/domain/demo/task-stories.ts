/** A task as a team writes it: who does it, what, and why. `{sub}`, `{module}` and `{client}` stand for its place. */
export interface TaskStory {
  readonly who: 'manager' | 'developer' | 'qa' | 'external';
  readonly name: string;
  readonly why: string;
  readonly steps: readonly string[];
}

/** What teams do, whatever they test. */
export const taskStories: readonly TaskStory[] = [
  {
    who: 'qa',
    name: 'Write test cases for {sub}',
    why: 'Nothing covers {sub} yet, and it changes in the next release.',
    steps: ['The good case and three bad ones', 'One test case for each rule of the specification'],
  },
  {
    who: 'developer',
    name: 'Mend the faults found in {sub}',
    why: 'The last round left failed test cases behind.',
    steps: ['Reproduce each on the test system', 'Set the test case to Ready for QA, with the build'],
  },
  {
    who: 'qa',
    name: 'Run the regression of {module}',
    why: 'Before the release everything in {module} is run once more.',
    steps: ['Chrome, Firefox and one phone', 'Every failure gets a screenshot'],
  },
  {
    who: 'manager',
    name: 'Plan the acceptance of {module} with {client}',
    why: '{client} wants to see {module} before it goes live.',
    steps: ['Agree on two dates', 'Send the list of test cases a week before'],
  },
  {
    who: 'developer',
    name: 'Make {sub} answer within a second',
    why: 'The slowest tenth of the requests takes more than three seconds.',
    steps: ['Measure first', 'Keep the numbers in this task'],
  },
  {
    who: 'qa',
    name: 'Prepare test data for {sub}',
    why: 'Testers share two accounts and disturb one another.',
    steps: ['Ten accounts in every state', 'A script that sets them back over night'],
  },
  {
    who: 'developer',
    name: 'Add a log line to every step of {sub}',
    why: 'Failures on the live system cannot be explained today.',
    steps: ['No personal data in the log', 'One id through all lines of a request'],
  },
  {
    who: 'qa',
    name: 'Automate the smoke tests of {module}',
    why: 'The same five checks are made by hand after each build.',
    steps: ['Run within ten minutes', 'A failure stops the deployment'],
  },
  {
    who: 'external',
    name: 'Accept {module} for {client}',
    why: '{client} signs off what was agreed for {module}.',
    steps: ['Go through the linked test cases', 'Note every difference as a comment'],
  },
  {
    who: 'qa',
    name: 'Explore {sub} on phones',
    why: 'Half of the visitors come with a phone, all of our tests with a desktop.',
    steps: ['One Android, one iPhone', 'Upright and lying'],
  },
  {
    who: 'developer',
    name: 'Cover {sub} with unit tests',
    why: 'Each change breaks something at the other end of {sub}.',
    steps: ['Begin with the rules, not with the screens', 'No test that needs the network'],
  },
  {
    who: 'manager',
    name: 'Review the open faults of {module}',
    why: 'Some are older than a month, and nobody knows which matter.',
    steps: ['Priority for each', 'Close what cannot be reproduced'],
  },
  {
    who: 'external',
    name: 'Provide examples for {sub}',
    why: 'We test with invented data; real cases look different.',
    steps: ['Twenty cases without names', 'Two that went wrong last year'],
  },
  {
    who: 'developer',
    name: 'Upgrade the libraries behind {module}',
    why: 'Two of them get no more security fixes from next quarter on.',
    steps: ['One library a time', 'Regression after each'],
  },
  {
    who: 'qa',
    name: 'Retest the mended faults of {sub}',
    why: 'The new build mends what failed in the last round.',
    steps: ['Same data as in the first run', 'Close, or send back with a comment'],
  },
  {
    who: 'manager',
    name: 'Estimate the tests for {module}',
    why: 'The offer for the next phase needs a number for {module}.',
    steps: ['Best, likely and worst case', 'Ask the testers, not the calendar'],
  },
  {
    who: 'qa',
    name: 'Check {module} against the accessibility list',
    why: 'The contract asks for WCAG 2.2 AA.',
    steps: ['Keyboard, contrast, screen reader', 'One test case for each finding'],
  },
  {
    who: 'developer',
    name: 'Put {sub} behind a switch',
    why: 'If it goes wrong on the live system it must be off within a minute.',
    steps: ['Off by default', 'Both positions are tested'],
  },
];
