/** Where the runner was opened from. */
export const runsListLink = { to: '/test-runs', label: 'Test Runs' };
