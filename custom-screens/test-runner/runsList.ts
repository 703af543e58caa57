/** Where the runner was opened from. */
export const back = { to: '/test-runs', label: 'Test Runs' };
