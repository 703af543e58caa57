/** The shipped rows that figures are about, by their ids. */
export const taskStatus = { open: [1, 2], completed: 3 } as const;
export const testCaseStatus = { closed: 5 } as const;
export const result = { passed: 1, failed: 2 } as const;
/** Tasks and projects have the same states. */
export const activeProject = [1, 2] as const;
