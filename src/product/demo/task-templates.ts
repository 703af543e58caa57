/** A task: who does it, what, and why. `{sub}`, `{module}` and `{client}` are placeholders. */
export interface TaskTemplate {
  readonly who: 'manager' | 'developer' | 'qa' | 'external';
  readonly name: string;
  readonly why: string;
  readonly steps: readonly string[];
}

/** Tasks that fit every project. */
export const taskTemplates: readonly TaskTemplate[] = [
  {
    who: 'qa',
    name: 'Write test cases for {sub}',
    why: 'Nothing covers {sub} yet, and it changes in the next release.',
    steps: ['One positive and three negative cases', 'One test case for each rule of the specification'],
  },
  {
    who: 'developer',
    name: 'Fix the bugs found in {sub}',
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
    name: 'Make {sub} respond within a second',
    why: 'The slowest 10% of requests take more than three seconds.',
    steps: ['Measure first', 'Keep the numbers in this task'],
  },
  {
    who: 'qa',
    name: 'Prepare test data for {sub}',
    why: "Testers share two accounts and get in each other's way.",
    steps: ['Ten accounts in every state', 'A script that resets them overnight'],
  },
  {
    who: 'developer',
    name: 'Add a log line to every step of {sub}',
    why: 'Production failures cannot be explained today.',
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
    why: 'Half of the visitors use a phone, but all of our tests run on a desktop.',
    steps: ['One Android, one iPhone', 'Portrait and landscape'],
  },
  {
    who: 'developer',
    name: 'Cover {sub} with unit tests',
    why: 'Every change breaks something else in {sub}.',
    steps: ['Start with the rules, not with the screens', 'No test that needs the network'],
  },
  {
    who: 'manager',
    name: 'Review the open bugs in {module}',
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
    steps: ['One library at a time', 'Regression after each'],
  },
  {
    who: 'qa',
    name: 'Retest the bug fixes in {sub}',
    why: 'The new build fixes what failed in the last round.',
    steps: ['Same data as in the first run', 'Close, or send back with a comment'],
  },
  {
    who: 'manager',
    name: 'Estimate the tests for {module}',
    why: 'The offer for the next phase needs an estimate for {module}.',
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
    name: 'Put {sub} behind a feature flag',
    why: 'If it fails in production, it must be off within a minute.',
    steps: ['Off by default', 'Test both states'],
  },
];
