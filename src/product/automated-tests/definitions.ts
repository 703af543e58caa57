/** What the code of automated tests knows of their definitions. */
export const tests = 'automated-tests';
export const proposals = 'match-proposals';
