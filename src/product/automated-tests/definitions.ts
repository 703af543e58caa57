/** The names in the definitions of automated tests that their code uses. */
export const tests = 'automated-tests';
export const proposals = 'match-proposals';
