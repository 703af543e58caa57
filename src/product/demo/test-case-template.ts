/**
 * A test case: title, steps (separated by `;`), expected result, and actual result on failure. `{thing}`, `{things}`
 * and `{person}` are placeholders for the project's subject.
 */
export type TestCaseTemplate = readonly [title: string, steps: string, expected: string, failing: string];

/** Stories by the name of the part of a project that they test. */
export type TestCaseTemplates = Readonly<Record<string, readonly TestCaseTemplate[]>>;
